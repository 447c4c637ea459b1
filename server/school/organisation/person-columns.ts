import { sql } from 'kysely'
import { contains } from '../../core/database/paging.ts'

/** Who somebody is and where they belong; `college` and `schoolClass` are joined to `person`. */
export const personColumns = [
  'person.suId',
  'person.suiName',
  'person.suiNumber',
  'person.suiType',
  'college.scName as collegeName',
  'schoolClass.scClassName as className',
] as const

/** The condition that a person's name or number holds what is searched for. */
export const isNamed = (needle: string) =>
  sql<boolean>`(${contains('person.suiName' as never, needle)} or ${contains('person.suiNumber' as never, needle)})`
