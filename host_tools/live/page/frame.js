// Reads a frame as host_tools/live/frame.h writes it.

export function decode(text, about) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  const read = {
    f64: () => view.getFloat64((at += 8) - 8, true),
    f32: () => view.getFloat32((at += 4) - 4, true),
    u32: () => view.getUint32((at += 4) - 4, true),
    i16: () => view.getInt16((at += 2) - 2, true),
    u16: () => view.getUint16((at += 2) - 2, true),
    u8: () => view.getUint8((at += 1) - 1),
  };
  const many = (count, one) => Array.from({ length: count }, one);
  const frame = {
    time_s: read.f64(),
    health: read.u32(),
    latched: read.u32(),
    sync: read.u32(),
    overruns: read.u32(),
    edges_lost: read.u32(),
    last_tick_s: read.f32(),
    worst_tick_s: read.f32(),
    pace: read.f32(),
    arm_rad: read.f32(),
    exaggeration: read.f32(),
    crank_Hz: read.f32(),
    tagged_link: read.u32(),
    sensors: many(about.sensors.length, () => ({ age_ticks: read.u32(), quality: read.u32() })),
  };
  frame.rows = many(read.u32(), () => many(about.signals.length, read.f32));
  frame.turned_rad = many(about.sprockets.length, read.f32);
  frame.rollers = many(about.links, () => [read.i16() / about.parts_of_pixel,
                                           read.i16() / about.parts_of_pixel]);
  frame.link_N = many(about.links, () => read.i16() * about.force_quantum_N);
  frame.tooth_N = many(about.links, () => read.u16() * about.force_quantum_N);
  frame.press_rad = many(about.links, () => read.u8() / about.parts_of_turn * 2 * Math.PI);
  const bins = read.u32();
  frame.spectra = bins === 0 ? null : many(2, () => many(bins, read.f32));
  return frame;
}
