import type { Call, Input } from '../contract/core/call.ts'
import { newsApi } from '../contract/platform/news/news.calls.ts'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import { ownNoticeApi } from '../contract/student/notices.calls.ts'
import { managedSigningApi } from '../contract/programme/lessons/managed-signing.calls.ts'
import { ownSupplementApi } from '../contract/student/supplements.calls.ts'
import { Client } from '../server/testing/client.ts'
import { ownPages } from '../web/student/own-pages.tsx'

type Row = Record<string, unknown>

/** Rows of a list as the person of a client sees them; none where the list is not theirs. */
async function rowsOf<C extends Call>(client: Client, call: C, more: Partial<Input<C>> = {}): Promise<Row[]> {
  const reply = await client.ask(call, { current: 1, pageSize: 50, ...more })
  if (reply.code !== 200 && reply.status !== 403) throw new Error(`${call.path}: ${reply.msg}`)
  const rows = reply.data as Row[] | { records: Row[] } | null
  return Array.isArray(rows) ? rows : (rows?.records ?? [])
}

/** The id in a field of the first row that will do. */
const idOf = (rows: Row[], key: string, suits: (row: Row) => boolean = () => true) =>
  rows.find(suits)?.[key] as string | undefined
const can = (act: string) => (row: Row) => (row['can'] as string[] | undefined)?.includes(act) ?? false

/**
 * The addresses of all pages of the students' side, with the records that the person of a token has there. Pages that
 * show one record are left out where the person has none.
 */
export async function studentAddresses(program: string, token: string): Promise<string[]> {
  const client = new Client(program, token)
  const [activities, open, managed, supplements, noticed, news] = await Promise.all([
    rowsOf(client, ownActivityApi.list),
    rowsOf(client, ownActivityApi.list, { open: '1' }),
    rowsOf(client, managedSigningApi.managed),
    rowsOf(client, ownSupplementApi.list),
    rowsOf(client, ownNoticeApi.lessons),
    rowsOf(client, newsApi.shown),
  ])
  const noticedSupplement = idOf(await rowsOf(client, ownNoticeApi.supplements), 'lisId')
  const details = await Promise.all(
    activities.map(({ liId }) => client.ask(ownActivityApi.detail, { liId })).map(async (reply) => (await reply).data),
  )
  const teamed = details.find((one) => one?.can.includes('team'))?.liId
  const found: Record<string, (string | undefined)[]> = {
    'activities/:liId': [idOf(open, 'liId'), idOf(activities, 'liId', (row) => row['laStatus'] !== null)],
    'activities/:liId/team': [teamed],
    'signing/:liId': [idOf(managed, 'liId')],
    'supplements/:lisId': [idOf(supplements, 'lisId')],
    'supplements/:lisId/edit': [idOf(supplements, 'lisId', can('edit'))],
    'notices/:liId': [idOf(noticed, 'liId')],
    'news/:niId': [idOf(news, 'niId')],
  }
  const own = ownPages.flatMap(({ path }) =>
    path in found
      ? [...new Set(found[path])].filter((id) => id !== undefined).map((id) => `/m/${path.replace(/:\w+/, id)}`)
      : path === 'notices/ask'
        ? noticedSupplement
          ? [`/m/notices/ask?lisId=${noticedSupplement}`]
          : []
        : [`/m/${path}`],
  )
  return [...own, '/m/offline?from=%2Frecord']
}
