// The last minute: frames for the picture, rows for the plots.

const KEPT_S = 61;

export class History {
  constructor(about) {
    this.row_s = about.row_s;
    this.frames = [];
    this.room = 2 * Math.ceil(KEPT_S / about.row_s);
    this.time_s = new Float64Array(this.room);
    this.values = about.signals.map(() => new Float64Array(this.room));
    this.rows = 0;
  }

  add(frame) {
    const first_s = frame.time_s - (frame.rows.length - 1) * this.row_s;
    if (this.rows + frame.rows.length + 1 > this.room) {
      const half = Math.floor(this.room / 2);
      for (const column of [this.time_s, ...this.values]) {
        column.copyWithin(0, this.rows - half, this.rows);
      }
      this.rows = half;
    }
    if (this.rows > 0 && first_s > this.time_s[this.rows - 1] + 3 * this.row_s) {
      this.add_gap();
    }
    frame.rows.forEach((row, i) => {
      this.time_s[this.rows] = first_s + i * this.row_s;
      row.forEach((value, k) => { this.values[k][this.rows] = value; });
      this.rows += 1;
    });
    delete frame.rows;
    this.frames.push(frame);
    while (this.frames[0].time_s < frame.time_s - KEPT_S) {
      this.frames.shift();
    }
  }

  // A row without values, so that no line is drawn over what is missing.
  add_gap() {
    this.time_s[this.rows] = this.time_s[this.rows - 1] + this.row_s;
    this.values.forEach((column) => { column[this.rows] = NaN; });
    this.rows += 1;
  }

  get last_s() {
    return this.frames.length ? this.frames[this.frames.length - 1].time_s : 0;
  }

  get first_s() {
    return this.frames.length ? this.frames[0].time_s : 0;
  }

  frame_at(time_s) {
    return this.frames[Math.max(0, this.place(this.frames.length, (i) => this.frames[i].time_s,
                                              time_s) - 1)];
  }

  // The newest spectrum up to then.
  spectrum_at(time_s) {
    for (let i = this.frames.length - 1; i >= 0; i -= 1) {
      if (this.frames[i].time_s <= time_s && this.frames[i].spectra) {
        return this.frames[i];
      }
    }
    return null;
  }

  // Rows between two times as columns for a plot, a few hundred a line: of more, the lowest and the
  // highest of each group are kept, so that no peak is lost.
  columns(from_s, to_s, indices, most) {
    const time = (i) => this.time_s[i];
    const begin = this.place(this.rows, time, from_s);
    const end = this.place(this.rows, time, to_s);
    const group = Math.max(1, Math.ceil((end - begin) / (most / 2)));
    const columns = [[], ...indices.map(() => [])];
    for (let i = begin; i < end; i += group) {
      const last = Math.min(i + group, end) - 1;
      columns[0].push(this.time_s[i]);
      if (group > 1) {
        columns[0].push(this.time_s[last]);
      }
      indices.forEach((index, k) => {
        const values = this.values[index];
        let low = values[i];
        let high = values[i];
        for (let j = i + 1; j <= last; j += 1) {
          low = values[j] < low || Number.isNaN(low) ? values[j] : low;
          high = values[j] > high || Number.isNaN(high) ? values[j] : high;
        }
        columns[k + 1].push(low);
        if (group > 1) {
          columns[k + 1].push(high);
        }
      });
    }
    return columns;
  }

  mean(index, from_s, to_s) {
    const time = (i) => this.time_s[i];
    const values = this.values[index].subarray(this.place(this.rows, time, from_s),
                                               this.place(this.rows, time, to_s));
    const numbers = values.filter((value) => !Number.isNaN(value));
    return numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);
  }

  // How many of a sorted row are not later.
  place(count, time, time_s) {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (time(middle) <= time_s) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
