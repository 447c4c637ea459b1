import { createContext } from 'react'

/** The time that the figures inside cover, as the head of their screen says it. */
export const SpanContext = createContext<string | undefined>(undefined)
