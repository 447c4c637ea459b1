/** A calendar below its field, or above it, and over the field where a low or enlarged window has room for neither. */
const beside = (points: [string, string], gap: number) => ({
  points,
  offset: [0, gap],
  overflow: { adjustX: true, adjustY: true, shiftY: true },
})

/** Where the calendars of date fields stand. */
export const pickerPlacements = {
  bottomLeft: beside(['tl', 'bl'], 4),
  bottomRight: beside(['tr', 'br'], 4),
  topLeft: beside(['bl', 'tl'], -4),
  topRight: beside(['br', 'tr'], -4),
}
