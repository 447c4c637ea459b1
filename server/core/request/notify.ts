import type { Context } from './context.ts'

/**
 * What people are told, what it is about and where it leads; a domain on a floor below the messages receives the way to
 * tell it from app.ts. Plain text.
 */
export interface Notification {
  suIds: readonly string[]
  title: string
  content: string
  /** A value of the dictionary `msg_type`. */
  type: '1' | '2' | '3' | '4'
  bizType?: string
  bizId?: string
  /** A path of the console, beginning with one slash. */
  link?: string
}

/** Tells people in the caller's transaction. */
export type Notify = (ctx: Context, notification: Notification) => Promise<void>
