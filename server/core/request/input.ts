import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { z } from 'zod'
import { asMeant } from './plain-values.ts'

const maxDepth = 16
const maxKeys = 20_000

/**
 * Takes from an input what counts as not given: empty text, null, the texts `null` and `undefined` (docs/rules.md R53),
 * deeply in objects, and the timestamp `_t`. List items are kept, so that a faulty list is refused rather than
 * shortened.
 */
export function withoutEmpties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpties)
  if (value === null || typeof value !== 'object') return value
  const kept: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === null || item === undefined || item === '' || item === 'null' || item === 'undefined') continue
    kept[key] = withoutEmpties(item)
  }
  return kept
}

/** The moment of a request, which keeps it from being answered out of a cache and says nothing else. */
const stamp = '_t'

/** Names for page number and page size that every list takes. */
const pagingNames: Readonly<Record<string, string>> = { currentPageNum: 'current', page: 'current', limit: 'pageSize' }

const namesOf = new WeakMap<object, ReadonlyMap<string, string>>()

/** Further names of fields with the field each means, paging among them; worked out once for each call. */
function furtherNames(alsoNamed: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  let names = namesOf.get(alsoNamed)
  if (!names) namesOf.set(alsoNamed, (names = new Map(Object.entries({ ...pagingNames, ...alsoNamed }))))
  return names
}

/**
 * Puts the parts of a request together; the same field told twice and differently is refused, not guessed.
 * @param alsoNamed further names of fields, each with the field it means
 */
export function mergeInput(
  alsoNamed: Readonly<Record<string, string>>,
  ...parts: (Record<string, unknown> | undefined)[]
): Record<string, unknown> {
  const names = furtherNames(alsoNamed)
  const merged: Record<string, unknown> = {}
  for (const part of parts) {
    for (const [key, value] of Object.entries(part ?? {})) {
      if (key === stamp) continue
      const name = names.get(key) ?? key
      if (name in merged && JSON.stringify(merged[name]) !== JSON.stringify(value)) throw new Failure('bad-request')
      merged[name] = value
    }
  }
  return withoutEmpties(merged) as Record<string, unknown>
}

/** The fields that a request names, by our names and whether or not something is said in them. */
export function namedFields(
  alsoNamed: Readonly<Record<string, string>>,
  ...parts: (Record<string, unknown> | undefined)[]
): Set<string> {
  const names = furtherNames(alsoNamed)
  const keys = parts.flatMap((part) => Object.keys(part ?? {})).filter((key) => key !== stamp)
  return new Set(keys.map((key) => names.get(key) ?? key))
}

/** Refuses bodies nested deeper or with more keys than any form of ours, before anything walks them recursively. */
function guardShape(text: string): void {
  let depth = 0
  let keys = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (inText) {
      if (sign === 92) at++
      else if (sign === 34) inText = false
    } else if (sign === 34) inText = true
    else if (sign === 123 || sign === 91) {
      if (++depth > maxDepth) throw new Failure('bad-request')
    } else if (sign === 125 || sign === 93) depth--
    else if (sign === 58 && ++keys > maxKeys) throw new Failure('bad-request')
  }
}

/** Parses a JSON body; names that reach into prototypes and texts that cannot be stored are refused. */
export function parseJson(text: string): unknown {
  if (text === '') return {}
  guardShape(text)
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, (key, value: unknown) => {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new Failure('bad-request')
      return value
    })
  } catch {
    throw new Failure('bad-request')
  }
}

/**
 * Checks an input against a call's schema; all faults are told together, each with its field.
 * @param ignored names of fields that the schema does not know and that are left out instead of refused
 */
export function checkInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  ignored: ReadonlySet<string> = nothing,
): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const unknown = result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  )
  const needless = unknown.filter((path) => ignored.has(String(path.at(-1))))
  if (needless.length > 0) return checkInput(schema, withoutFields(input, needless), ignored)
  throw invalidInput(
    result.error.issues.slice(0, 100).map((issue) => ({
      field: issue.path.join('.'),
      msg:
        issue.code === 'unrecognized_keys'
          ? `不支持的字段：${issue.keys.slice(0, 5).join('、').slice(0, 80)}`
          : chinese(issue.message),
    })),
  )
}

/** How often values may have to be put right one after another: a list first, then what is in it. */
const maxRounds = 3

/**
 * Checks an input as `checkInput` does, of a plain caller, whose numbers and lists may come in other forms
 * (`asMeant`).
 */
export function checkPlainInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  ignored?: ReadonlySet<string>,
): z.output<S> {
  let meant = input
  for (let round = 0; round < maxRounds; round++) {
    const result = schema.safeParse(meant)
    if (result.success) return result.data
    const next = asMeant(meant, result.error.issues)
    if (next === undefined) break
    meant = next
  }
  return checkInput(schema, meant, ignored)
}

const nothing: ReadonlySet<string> = new Set()

/** A copy of an input without the fields at these paths. */
function withoutFields(input: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  const copy = structuredClone(input)
  for (const path of paths) {
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)[key], copy) as Record<
      PropertyKey,
      unknown
    >
    delete holder[path.at(-1)!]
  }
  return copy
}

/** Texts of ours are Chinese; what a schema left to the library's own English becomes one fixed sentence. */
const chinese = (message: string): string => (/[\u4e00-\u9fff]/.test(message) ? message : '内容格式不正确')
