import { NIL, v7 } from 'uuid'

/** A new record id: time-ordered, so that indexes grow at their end. */
export const newId = (): string => v7()

/**
 * An id that no record has, for a comparison that is to find nothing: an engine with several machines no longer sees
 * the school of a table that is compared with null.
 */
export const noId = NIL
