import { z } from 'zod'
import type pg from 'pg'
import type { Call } from '../contract/core/call.ts'
import { allCalls } from '../contract/index.ts'
import { fieldValues, type FieldValues } from '../server/testing/field-values.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { benchSchool } from './prepare.ts'
import { wordsOf } from './words.ts'

/** One way to fill a filter: what it is called in tables, and the fields it sets. */
export interface Value {
  name: string
  fields: Record<string, unknown>
}
/** A filter of a list, with the values to ask it with; a period is one filter of two fields. */
export interface Filter {
  name: string
  /** Whether its values are words that are searched for. */
  isSearched: boolean
  values: Value[]
}
/** A list call and everything that can be asked of it. */
export interface List {
  call: Call
  /** `GET /lessonsInfoSup/list`. */
  name: string
  /** Accounts that ask it. */
  users: string[]
  /** What it cannot be asked without. */
  required: Record<string, unknown>
  filters: Filter[]
  /** Names that its rows may be sorted by; the list refuses those that it does not know. */
  sorts: string[]
}

type Json = {
  type?: string | string[]
  properties?: Record<string, Json>
  required?: string[]
  anyOf?: Json[]
  allOf?: Json[]
  enum?: string[]
  format?: string
  minimum?: number
  maximum?: number
  flag?: boolean
}

/** Lists that calculate something out of a rule under edit, or show what a bench school does not have. */
const notAsked: Record<string, string> = {
  '/evaluationSystem/whatIf': 'a computation on a rule under edit',
  '/transformation/preview': 'a computation on a rule under edit',
  '/import/{kind}/preview': 'the bench school has no import',
  '/sysUserInfo/graduationRows': 'nobody has graduated yet',
  '/lessonsInfoAC/publictyList': 'one course in public notice',
}
const paging = new Set(['current', 'pageSize', 'sort', 'order', 'reason'])
/** Fields that are the two ends of one period. */
const periods: readonly (readonly [string, string])[] = [
  ['obtainStart', 'obtainEnd'],
  ['createStartDate', 'createEndDate'],
  ['startTime', 'endTime'],
  ['logStartDate', 'logEndDate'],
]
/** Required fields, and fields whose values mean something else in one call. */
const givenBy: Record<string, (values: Record<string, FieldValues>) => Record<string, unknown>> = {
  '/import/{kind}/batches': () => ({ kind: 'student' }),
  '/auditLog/timeline': (values) => ({ bizType: 'supplement', bizId: values['lisId']?.frequent }),
  '/lessonsInfo/teacherLessons': (values) => ({ suId: values['liPrincipalId']?.frequent }),
}

/**
 * Every list of the contract, read from it: whatever answers pages and is no file; with values out of the data of the
 * bench school.
 */
export async function listsToAsk({ services, pool }: Pick<OpenServices, 'services' | 'pool'>): Promise<{
  lists: List[]
  /** Fields and lists that nothing is asked of, with the reason. */
  left: string[]
}> {
  const values = await fieldValues(services.db, benchSchool)
  const words = await wordsOf(pool, benchSchool)
  const spans = await periodsOf(pool)
  const left: string[] = []
  const lists: List[] = []
  for (const { call } of allCalls) {
    if (call.writes || call.gives !== 'data') continue
    const { properties = {}, required = [] } = z.toJSONSchema(call.input, {
      io: 'input',
      unrepresentable: 'any',
    }) as Json
    if (!('pageSize' in properties)) continue
    const name = `${call.method} ${call.path}`
    if (call.path in notAsked) {
      left.push(`${name}: ${notAsked[call.path]}`)
      continue
    }
    const given: Record<string, unknown> = { ...givenBy[call.path]?.(values) }
    for (const field of required) given[field] ??= values[field === 'suId' ? 'student' : field]?.frequent
    const lacking = Object.keys(given).filter((field) => given[field] === undefined)
    if (lacking.length > 0) {
      left.push(`${name}: the bench school has no ${lacking.join(', ')}`)
      continue
    }
    const filters: Filter[] = []
    const ends = new Set<string>()
    for (const [start, end] of periods) {
      if (!(start in properties && end in properties)) continue
      ends.add(start).add(end)
      filters.push({
        name: `${start}-${end}`,
        isSearched: false,
        values: spans.map(({ name: span, from, to }) => ({
          name: `${start} ${span}`,
          fields: { [start]: from, [end]: to },
        })),
      })
    }
    for (const [field, schema] of Object.entries(properties)) {
      if (paging.has(field) || ends.has(field) || field in given) continue
      const searched = await words(field)
      const found = valuesOf(field, schema, values, searched)
      if (found.length === 0) left.push(`${name}: no value for ${field}`)
      else
        filters.push({
          name: field,
          isSearched: searched.length > 0 && found === searched,
          values: found.map((value) => ({ name: `${field} ${value}`, fields: { [field]: value } })),
        })
    }
    lists.push({
      call,
      name,
      users: ['admin', 'college', ...(call.permit.startsWith('approval:') ? ['reviewer'] : [])],
      required: given,
      filters,
      sorts: sortsOf(call),
    })
  }
  return { lists, left }
}

/** What a field is asked with: all choices of a fixed list, else what is frequent and what is rare in the data. */
function valuesOf(field: string, schema: Json, values: Record<string, FieldValues>, searched: string[]): string[] {
  const choices = schema.enum ?? schema.anyOf?.find((one) => one.enum)?.enum
  if (choices) return choices.map(String)
  if (schema.flag) return ['1']
  if (schema.type === 'number' || schema.type === 'integer')
    return [String(Math.round(((schema.minimum ?? 0) + (schema.maximum ?? 100)) / 2))]
  if (searched.length > 0) return searched
  const held = values[field]
  return held ? [...new Set([held.frequent, held.rare])] : []
}

/** The last three months and the last year of what was entered, and three months years before it. */
async function periodsOf(pool: pg.Pool): Promise<{ name: string; from: string; to: string }[]> {
  const { rows } = await pool.query<{ last: string; quarter: string; year: string; old: string; oldEnd: string }>(
    `select d::text as "last", (d - interval '3 months')::date::text as "quarter", (d - interval '1 year')::date::text as "year",
       (d - interval '27 months')::date::text as "old", (d - interval '2 years')::date::text as "oldEnd"
     from (select max("createTime")::date as d from "supplement" where "schoolId" = $1) m`,
    [benchSchool],
  )
  const { last, quarter, year, old, oldEnd } = rows[0]!
  return [
    { name: 'of 3 months', from: quarter, to: last },
    { name: 'of a year', from: year, to: last },
    { name: 'of 3 old months', from: old, to: oldEnd },
  ]
}

/** The sorts that the contract names, else the fields of a row: the list refuses what it cannot sort by. */
function sortsOf(call: Call): string[] {
  const { properties = {} } = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Json
  const named = properties['sort']?.enum
  if (named) return named
  const output = z.toJSONSchema(call.output, { io: 'output', unrepresentable: 'any' }) as {
    properties?: { records?: { items?: Json } }
  }
  return [...new Set([...Object.keys(output.properties?.records?.items?.properties ?? {}), 'createTime'])]
}
