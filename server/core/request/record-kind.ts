import type { Context } from './context.ts'
import type { Location } from './scope-check.ts'

/** A record as somebody who explains rights needs it. */
export interface KnownRecord {
  id: string
  name: string
  /** What tells it from others of the same name. */
  hint: string
  location: Location
}

/** One person before one record, besides what areas say. */
export interface RecordRelations {
  /** What they are to it: 负责人, 指导老师. */
  relations: string[]
  /** Whether an approval of it waits for them. */
  hasTask: boolean
  /** The actions they could do to it now, in words. */
  acts: string[]
}

/**
 * A kind of record that rights reach: how to find one, where it lies, and how many of them somebody sees. All functions
 * see what `ctx.scope` covers and nothing else.
 */
export interface RecordSource {
  find(ctx: Context, search: string | undefined): Promise<KnownRecord[]>
  one(ctx: Context, id: string): Promise<KnownRecord | undefined>
  count(ctx: Context): Promise<number>
  /** Only where areas are not all: what a person has to do with the record themselves. */
  relations?(ctx: Context, id: string): Promise<RecordRelations>
}
