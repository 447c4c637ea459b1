import { join } from 'node:path'
import { z } from 'zod'
import { sourceKind } from '../../../contract/core/codes/school.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { openOutbound } from '../../core/base/outbound.ts'
import type { Context } from '../../core/request/context.ts'
import { maxDataRows } from '../../core/sheets/limits.ts'
import { assertAnswered, readFetched, maxSourceBytes, tooLarge, writeRows, type FetchOptions } from './fetched-file.ts'
import { isScimPath, valueAt } from './scim-path.ts'
import type { SourceConnection } from './source-connection.ts'

/** Records that are asked for at once; a service may give fewer. */
const pageSize = 200

/** RFC 7644, 3.4.2. `Resources` may be left out where there is nothing. */
const listResponse = z.object({
  schemas: z.array(z.string()).refine((all) => all.includes('urn:ietf:params:scim:api:messages:2.0:ListResponse')),
  totalResults: z.int().min(0),
  Resources: z.array(z.looseObject({ id: z.string().min(1), active: z.unknown().optional() })).default([]),
})
type Resource = z.infer<typeof listResponse>['Resources'][number]

/** Times that a list is read which changes while it is read. */
const maxReadings = 3

/**
 * The people, or the groups, of a SCIM 2.0 service, page by page. Who is not active there is left out, and with that
 * has left. A list that does not come whole is not taken at all: whoever is missing would seem to have left.
 */
export async function fromScim(ctx: Context, place: SourceConnection, options: FetchOptions) {
  const unreadable = place.columns.find(({ from }) => !isScimPath(from))
  if (unreadable) throw new Failure('source-not-rows', { why: `“${unreadable.from}”不是 SCIM 的属性路径` })
  let found: Resource[] | undefined
  for (let reading = 1; !found; reading++) {
    if (reading > maxReadings) throw new Failure('source-scim-changing')
    found = await readList(ctx, place, options)
  }
  const rows = found
    .filter(({ active }) => active !== false && active !== 'false' && active !== 'False')
    .map((one) => Object.fromEntries(place.columns.map(({ from }) => [from, valueAt(one, from)])))
  return writeRows(join(options.folder, 'content'), rows, place)
}

/**
 * Reads the whole list once. Pages are counted from its beginning: when somebody is removed between two of them, those
 * behind move up and one is on neither page.
 * @returns undefined where its length has changed meanwhile
 */
async function readList(
  ctx: Context,
  place: SourceConnection,
  { secret, kind, signal }: FetchOptions,
): Promise<Resource[] | undefined> {
  const found = new Map<string, Resource>()
  let bytes = 0
  let total: number | undefined
  for (let start = 1; ;) {
    const answer = await openOutbound(
      { address: pageAddress(place, kind, start), method: 'GET', headers: headersWith(secret) },
      ctx.config.outboundPrivate,
      signal,
    )
    assertAnswered(answer)
    const content = await readFetched(answer, maxSourceBytes - bytes)
    bytes += content.length
    if (bytes >= maxSourceBytes) throw tooLarge()
    const page = asPage(content)
    if (page.totalResults > maxDataRows) throw new Failure('sheet-too-many-rows', { n: maxDataRows })
    total ??= page.totalResults
    if (page.totalResults !== total) return undefined
    for (const one of page.Resources) found.set(one.id, one)
    start += page.Resources.length
    if (found.size >= page.totalResults) return [...found.values()]
    // an empty page, or one that repeats what was there, would go on for ever
    if (page.Resources.length === 0 || start > page.totalResults)
      throw new Failure('source-scim-partial', { n: found.size, of: page.totalResults })
  }
}

const headersWith = (secret: string | null): Record<string, string> => ({
  accept: 'application/scim+json, application/json',
  // a bare token is one of a bearer
  ...(secret && { authorization: /\s/.test(secret) ? secret : `Bearer ${secret}` }),
})

function pageAddress({ address, scimFilter }: SourceConnection, kind: string, start: number): string {
  const url = new URL(address)
  const isOfPeople = isOneOf(kind, sourceKind.student, sourceKind.teacher, sourceKind.departmentUser)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${isOfPeople ? 'Users' : 'Groups'}`
  // members of a group may be thousands, and none is read
  if (!isOfPeople) url.searchParams.set('excludedAttributes', 'members')
  if (scimFilter) url.searchParams.set('filter', scimFilter)
  url.searchParams.set('startIndex', String(start))
  url.searchParams.set('count', String(pageSize))
  return url.href
}

function asPage(content: Buffer) {
  try {
    return listResponse.parse(JSON.parse(content.toString('utf8')))
  } catch {
    throw new Failure('source-not-rows', { why: '对方的答复不是 SCIM 2.0 的列表（ListResponse）' })
  }
}
