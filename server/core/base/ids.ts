import { v7 } from 'uuid'

/** A new record id: time-ordered, so that indexes grow at their end. */
export const newId = (): string => v7()
