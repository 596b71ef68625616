// How the heap would come in by C++'s front door.
int* volatile on_heap;

int main() {
  on_heap = new int(1);
  return 0;
}
