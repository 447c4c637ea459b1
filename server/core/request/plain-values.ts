import type { z } from 'zod'
import { partsOf } from '../../../contract/core/fields.ts'

type Issue = z.core.$ZodIssue

/** More faults than any form of ours can have by the form of its values alone: beyond them nothing is put right. */
const maxIssues = 1000

/**
 * What a plain caller means by values whose form the specification leaves open (decision 034): a number where a text
 * is wanted is its digits, a text where a list is wanted has the items between its commas.
 * @param issues what the schema says of the input
 * @returns the input with such values put right; undefined where there are none, or more faults than are worked through
 */
export function asMeant(input: unknown, issues: readonly Issue[]): unknown {
  if (issues.length > maxIssues) return undefined
  const faults = issues.flatMap(withForms)
  if (faults.length > maxIssues) return undefined
  const copy = structuredClone(input)
  let isChanged = false
  for (const issue of faults) {
    const name = issue.path.at(-1)
    if (name === undefined) continue
    const holder = issue.path
      .slice(0, -1)
      .reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], copy)
    if (typeof holder !== 'object' || holder === null) continue
    const fields = holder as Record<PropertyKey, unknown>
    const meant = meantBy(fields[name], issue)
    if (meant === undefined) continue
    fields[name] = meant
    isChanged = true
  }
  return isChanged ? copy : undefined
}

function meantBy(value: unknown, issue: Issue): string | string[] | undefined {
  if (isExact(value) && (wants(issue, 'string') || issue.code === 'invalid_value')) return String(value)
  if (typeof value === 'string' && wants(issue, 'array')) return partsOf(value)
  return undefined
}

/** Whether a number still has the digits that were sent; long ones, such as those of papers, have lost some. */
const isExact = (value: unknown): value is number =>
  typeof value === 'number' && (Number.isSafeInteger(value) || /^-?\d{1,9}\.\d{1,6}$/.test(String(value)))

const wants = (issue: Issue, type: 'string' | 'array'): boolean =>
  issue.code === 'invalid_type' && issue.expected === type

/** What a schema says of a value, with what each of its forms says where it may have several. */
const withForms = (issue: Issue): Issue[] =>
  issue.code === 'invalid_union'
    ? [
        issue,
        ...issue.errors.flat().flatMap((one) => withForms({ ...one, path: [...issue.path, ...one.path] } as Issue)),
      ]
    : [issue]
