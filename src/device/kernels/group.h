/* Items of a group take their places in a list at once, so that few meet at the counters of the device. */
#ifndef SNUG_DEVICE_GROUP_H
#define SNUG_DEVICE_GROUP_H

/* One item of a group does what is to be done once. */
#ifdef __OPENCL_VERSION__
#define SNUG_LEADS (get_local_id(0) == 0)
#endif

/* The first of `wanted` places. To be called by all items of a group. */
uint snug_place(uint wanted, __local uint* taken, __local uint* first, __global uint* count) {
  if (SNUG_LEADS) *taken = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint at = wanted != 0 ? atomic_add(taken, wanted) : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (SNUG_LEADS) *first = *taken != 0 ? atomic_add(count, *taken) : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint place = *first + at;
  barrier(CLK_LOCAL_MEM_FENCE); /* before another call writes there */
  return place;
}

#endif
