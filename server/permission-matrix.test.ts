import { beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { text } from 'node:stream/consumers'
import { fullPath, type Call } from '../contract/core/call.ts'
import { importKinds } from '../contract/platform/imports/imports.schema.ts'
import { allCalls } from '../contract/index.ts'
import { buildApp } from './app.ts'
import { roleSeeds } from './school/roles/role-seeds.ts'
import { textOf, Client } from './testing/client.ts'
import { matrixWorld, sides, type MatrixWorld, type RoleHolder, type Side } from './testing/matrix-world.ts'
import { rolledBack } from './testing/rolled-back.ts'
import { sampleInput, type Records } from './testing/sample-input.ts'

/**
 * Asks every call as every built-in role: for records of their own part of the school, of another college and of
 * another school. What came out stands in permission-matrix.txt, one line a call, and is reviewed like code. After a
 * wanted change of rights: `npx vitest run server/permission-matrix.test.ts -u`.
 */
const names: Record<string, string> = {
  SCHOOL_ADMIN: '校管',
  SCHOOL_AUDIT: '校审',
  COLLEGE_LEAGUE: '院团',
  COUNSELOR: '辅导',
  CLASS_TUTOR: '班任',
  DEPT_ADMIN: '部门',
  MODULE_OWNER: '模块',
  GUIDE_TEACHER: '指导',
  LEAGUE_SEC: '团支',
  CLUB_MGR: '社管',
  CLUB_LEAD: '社长',
  SIGN_MGR: '签到',
  NEWS_EDITOR: '新闻',
  DATA_VIEWER: '领导',
  AUDITOR: '督查',
}
/** Calls that would end the very session that asks, or lock its account. */
const notAsked = new Set(['/api/schoolbase/user/logout', '/api/schoolbase/sysUser/editPassword'])

let world: MatrixWorld
/** The holders, asking a program in which nothing they do is kept. */
let holders: RoleHolder[]
beforeAll(async () => {
  world = await matrixWorld()
  const app = await buildApp({ ...world.school.services, db: rolledBack(world.school.services.db) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  holders = world.holders.map((holder) => ({
    ...holder,
    client: new Client(`http://127.0.0.1:${port}`, holder.client.token, holder.client.suId),
  }))
  return () => app.close()
})

/** The calls of an import ask the right of its kind, all the same one: told for every kind at its template. */
const variants = (call: Call): Record<string, string>[] =>
  call.path.startsWith('/import/{kind}')
    ? (call.path.endsWith('/template') ? importKinds : ['college']).map((kind) => ({ kind }))
    : [{}]

test('every call answers every role as the reviewed table says', { timeout: 300_000 }, async () => {
  const lines: string[] = []
  let heading = ''
  for (const { group, call } of allCalls) {
    if (group !== heading) lines.push('', `## ${(heading = group)}`)
    for (const variant of variants(call)) lines.push(await lineOf(group, call, variant))
  }
  await expect(`${legend}${lines.join('\n')}\n`).toMatchFileSnapshot('./permission-matrix.txt')
})

const legend = `# Who may make each call, and what they are answered: for a record of their own part of the school / of another college / of another school.
# Written by \`npx vitest run server/permission-matrix.test.ts -u\`; roles that are not named lack the right and are refused with 403.
#
#   yes      done, or given; for calls that name no record: the answer holds something of that part
#   -        the answer holds nothing of that part
#   none     there is no such record for them (404)
#   no       they have the right, but not to this record (403)
#   a-word   the business refusal of that name (contract/core/refusals.ts)
#   empty    given, and there is nothing in it
#   some     done to some of the records and not to the others
#   ?field   that field is refused: a record it names is not one of theirs; or, where all three say so, the sample does not fit the call
#   +own     records of their own and of another college together: all or nothing where it is \`none\`
#   (x)      no record was made for the field x: its answer says nothing about scopes
#
# ${roleSeeds.map(({ srCode, srName }) => `${names[srCode] ?? srName} ${srName}`).join(' · ')}
`

/** One call: its right, and the roles that have it by what they are answered. */
async function lineOf(group: string, call: Call, variant: Record<string, string>): Promise<string> {
  const head = `${call.method} ${call.path}${Object.values(variant)
    .map((value) => ` ${value}`)
    .join('')} [${call.permit}]`
  if (call.permit === 'public') return `${head} anybody`
  if (notAsked.has(fullPath(call))) return `${head} anybody signed in, for themselves`
  const unknown = sampleInput(call, group, world.records.own).unknown
  const answers = await Promise.all(
    holders.map(
      async (holder) => [names[holder.srCode] ?? holder.srCode, await answersTo(holder, group, call, variant)] as const,
    ),
  )
  const answersByCall = new Map<string, string[]>()
  for (const [name, answer] of answers)
    if (answer) answersByCall.set(answer, [...(answersByCall.get(answer) ?? []), name])
  const groups = [...answersByCall].map(
    ([answer, who]) => `${who.length === holders.length ? 'everybody' : who.join(' ')} ${answer}`,
  )
  return `${head}${unknown.map((field) => ` (${field})`).join('')} ${groups.join(' | ') || 'nobody'}`
}

/** What one role is answered for each part; undefined where it lacks the right. */
async function answersTo(
  holder: RoleHolder,
  group: string,
  call: Call,
  variant: Record<string, string>,
): Promise<string | undefined> {
  const records: Record<Side, Records> = { ...world.records, own: holder.own }
  const target = (side: Side) =>
    variant['kind'] === 'lessonApply' || variant['kind'] === 'signIn' ? { liId: records[side].lesson } : {}
  const sample = (side: Side, more?: Records) => ({
    ...sampleInput(call, group, records[side], more).input,
    ...variant,
    ...target(side),
  })
  const own = sampleInput(call, group, records.own)
  const first = await ask(holder.client, call, sample('own'))
  if (call.permit !== 'signed-in' && !holder.permits.has(call.permit)) {
    expect([call.path, holder.srCode, first.outcome]).toEqual([call.path, holder.srCode, 'no'])
    return undefined
  }
  if (!own.names && !('liId' in target('own')))
    return first.outcome === 'yes' && !call.writes
      ? sides.map((side) => (first.body.includes(world.canary[side]) ? 'yes' : '-')).join('/')
      : first.outcome
  const [other, strange] = [
    await ask(holder.client, call, sample('other')),
    await ask(holder.client, call, sample('strange')),
  ]
  expect(
    [call.path, holder.srCode, strange.body.includes(world.canary.strange)],
    'shows something of another school',
  ).toEqual([call.path, holder.srCode, false])
  const mixed =
    own.several && first.outcome !== other.outcome
      ? ` +own ${(await ask(holder.client, call, sample('own', records.other))).outcome}`
      : ''
  return [first, other, strange].map(({ outcome, isEmpty }) => (isEmpty ? 'empty' : outcome)).join('/') + mixed
}

interface Answer {
  outcome: string
  body: string
  /** An answer without any row. */
  isEmpty: boolean
}

async function ask(client: Client, call: Call, input: Record<string, unknown>): Promise<Answer> {
  const response = call.takes === 'upload' ? undefined : await client.fetch(call, input)
  if (response && !(response.headers.get('content-type') ?? '').includes('json')) {
    expect([call.path, response.status]).toEqual([call.path, 200])
    if (call.gives === 'events') return { outcome: 'yes', isEmpty: false, body: await textOf(response) }
    return { outcome: 'yes', isEmpty: false, body: await contentOf(Buffer.from(await response.arrayBuffer())) }
  }
  const body = response
    ? await response.text()
    : JSON.stringify(
        await client.upload(
          call,
          { name: 'x.exe', bytes: Buffer.from('MZ\u0000\u0001') },
          input as Record<string, string>,
        ),
      )
  const reply = JSON.parse(body) as {
    code: number
    reason?: string
    msg: string
    errors?: { field: string }[]
    data?: unknown[] | { affected?: number; failed?: unknown[]; total?: number }
  }
  expect(reply.code, `${call.path} ${body.slice(0, 500)}`).toBeLessThan(500)
  return {
    outcome: outcomeOf({ ...reply, data: Array.isArray(reply.data) ? {} : reply.data }),
    body,
    isEmpty: !call.writes && (Array.isArray(reply.data) ? reply.data.length : reply.data?.total) === 0,
  }
}

function outcomeOf({
  code,
  reason = '',
  errors,
  data,
}: {
  code: number
  reason?: string
  errors?: { field: string }[]
  data?: { affected?: number; failed?: unknown[] } | undefined
}): string {
  if (code === 200) return data?.failed?.length ? (data.affected ? 'some' : 'none') : 'yes'
  if (code === 403) return 'no'
  if (code === 404) return 'none'
  return reason === 'invalid-input' ? `?${(errors ?? []).map(({ field }) => field).join(',')}` : reason || String(code)
}

/** The texts of a workbook or archive, or the bytes of any other file. */
async function contentOf(bytes: Buffer): Promise<string> {
  if (bytes.subarray(0, 2).toString() !== 'PK') return bytes.toString('utf8')
  const archive = await fromBufferPromise(bytes)
  const parts: string[] = []
  for await (const entry of archive.eachEntry()) parts.push(await text(await archive.openReadStreamPromise(entry)))
  return parts.join('\n')
}
