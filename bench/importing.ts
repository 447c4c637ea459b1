import { setTimeout as sleep } from 'node:timers/promises'
import { importApi } from '../contract/platform/imports/imports.calls.ts'
import { newId } from '../server/core/base/ids.ts'
import { createSchool } from '../server/setup/create-school.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { signIn, type Client } from '../server/testing/client.ts'
import { demoPassword } from '../server/demo/account-list.ts'
import { benchSchool, size } from './prepare.ts'
import { startServer, type Server } from './processes.ts'
import { rounded, type Part } from './report.ts'
import { studentWorkbook, type Place } from './student-file.ts'

/** Students in the file; `BENCH_IMPORT_ROWS` makes it smaller. */
const rows = Number(process.env['BENCH_IMPORT_ROWS'] ?? 50_000)
/**
 * Bars: seconds from upload to readable verdicts, of the commit and of the undo; bytes of memory beyond idle;
 * milliseconds of a health check.
 */
const bars = { preview: 20, commit: 30, undo: 60, memory: 500e6, health: 1000 }
const password = 'Bench-2026!'

/**
 * One file of 50,000 students of 192 classes, checked, imported, imported again with changes, and taken back, by a
 * service just started.
 */
export async function importing({ services, owner }: OpenServices): Promise<Part> {
  const isIntoBench = process.env['BENCH_IMPORT_INTO'] === 'bench'
  const schoolId = isIntoBench ? benchSchool : `import${Date.now().toString(36)}`
  const places = isIntoBench ? await placesOfBench(services) : await emptySchool(services, schoolId)
  const service = await startServer('service.ts', JSON.stringify(owner))
  const [file, changes] = [await studentWorkbook(rows, places), await studentWorkbook(rows, places, 1)]
  const part: Part = {
    title: `Import of ${rows.toLocaleString('en')} students with 16 columns${isIntoBench ? ` into a school of ${size.students.toLocaleString('en')}` : ''}`,
    rows: [],
    missed: [],
    isPartial: isIntoBench,
  }
  try {
    const client = await signIn(service.address, schoolId, 'admin', isIntoBench ? demoPassword : password)
    await sleep(1000)
    const step = async <R>(what: string, bar: number, work: () => Promise<R>): Promise<R> => {
      const { result, seconds, cpu, memory, health } = await watched(service, work)
      part.rows.push({
        what,
        seconds: rounded(seconds),
        'bar s': bar,
        'CPU s of the service': rounded(cpu / 1000),
        'memory beyond idle MB': Math.round(memory / 1e6),
        'worst health check ms': Math.round(health),
      })
      if (seconds > bar) part.missed.push(`${what}: ${rounded(seconds)} s, ${bar} allowed`)
      if (memory > bars.memory)
        part.missed.push(`${what}: ${Math.round(memory / 1e6)} MB more memory, ${bars.memory / 1e6} allowed`)
      if (health > bars.health)
        part.missed.push(`${what}: a health check took ${Math.round(health)} ms, ${bars.health} allowed`)
      return result
    }
    const first = await step('new students: upload and check', bars.preview, () => upload(client, file))
    await step('new students: import', bars.commit, () => commit(client, first))
    const second = await step('the same with changes: upload and check', bars.preview, () => upload(client, changes))
    await step('the same with changes: import', bars.commit, () => commit(client, second))
    await step('undo of the changes', bars.undo, () => undo(client, second))
    await step('undo of the new students', bars.undo, () => undo(client, first))
    return part
  } finally {
    await service.stop()
  }
}

const kind = 'student' as const

/** Sends the file as the console does, waits for its verdicts, and reads the first page of them. */
async function upload(client: Client, bytes: Uint8Array): Promise<string> {
  const { data, msg } = await client.upload(importApi.upload, { name: '学生.xlsx', bytes }, { kind, wait: '0' })
  if (!data) throw new Error(msg)
  const { successCount, fault } = await whenDone(client, data.ibId)
  if (successCount !== rows) throw new Error(`the check found ${successCount} good rows of ${rows} ${fault}`)
  await client.send(importApi.preview, { kind, ibId: data.ibId, current: 1, pageSize: 20 })
  return data.ibId
}

const commit = async (client: Client, ibId: string) =>
  assertState(await whenDone(client, (await client.send(importApi.commit, { kind, ibId, wait: 0 })).ibId), '1')
const undo = async (client: Client, ibId: string) =>
  assertState(await whenDone(client, (await client.send(importApi.undo, { kind, ibId, wait: 0 })).ibId), '2')

async function whenDone(client: Client, ibId: string) {
  for (;;) {
    const batch = await client.send(importApi.batch, { kind, ibId })
    if (batch.progress === null) return batch
    await sleep(100)
  }
}

function assertState({ ibStatus, fault }: { ibStatus: string; fault: string }, state: string): void {
  if (ibStatus !== state) throw new Error(`the import is in state ${ibStatus}: ${fault}`)
}

/** Runs `work` while asking the service's health and memory; the idle memory is that of the first time. */
let idle = 0
async function watched<R>(service: Server, work: () => Promise<R>) {
  const before = await service.usage()
  idle ||= before.memory
  let memory = 0
  let health = 0
  let running = true
  const watching = (async () => {
    for (; running; await sleep(40)) {
      const asked = performance.now()
      await (await fetch(`${service.address}/healthz`)).arrayBuffer()
      health = Math.max(health, performance.now() - asked)
      memory = Math.max(memory, (await service.usage()).memory - idle)
    }
  })()
  const began = performance.now()
  try {
    const result = await work()
    const seconds = (performance.now() - began) / 1000
    return { result, seconds, cpu: (await service.usage()).cpu - before.cpu, memory, health }
  } finally {
    running = false
    await watching
  }
}

/** Where the students of the bench school are. */
async function placesOfBench({ db }: OpenServices['services']): Promise<Place[]> {
  return db
    .selectFrom('schoolClass as k')
    .innerJoin('major as m', (join) => join.onRef('m.schoolId', '=', 'k.schoolId').onRef('m.smId', '=', 'k.smId'))
    .innerJoin('college as c', (join) => join.onRef('c.schoolId', '=', 'k.schoolId').onRef('c.scId', '=', 'k.scId'))
    .select([
      'k.scClassName as className',
      'k.scClassGrade as suiGrade',
      'm.smName as majorName',
      'c.scName as collegeName',
    ])
    .where('k.schoolId', '=', benchSchool)
    .orderBy('k.scClassId')
    .execute()
}

/** A school with 12 colleges, 48 majors and 192 classes, and nobody in them but its administrator. */
async function emptySchool(services: OpenServices['services'], schoolId: string): Promise<Place[]> {
  const ctx = { ...services, origin: { requestId: 'bench', ip: '127.0.0.1', agent: 'bench' } }
  await createSchool(ctx, {
    schoolId,
    schName: '导入测试大学',
    admin: { username: 'admin', name: '管理员', password, keepPassword: true },
  })
  const colleges = Array.from({ length: 12 }, (_, at) => ({
    schoolId,
    scId: newId(),
    scCode: String(at + 1),
    scName: `第${at + 1}学院`,
  }))
  const majors = Array.from({ length: 48 }, (_, at) => ({
    schoolId,
    smId: newId(),
    smCode: `M${at + 1}`,
    smName: `专业${at + 1}`,
    scId: colleges[at % 12]!.scId,
  }))
  const classes = majors.flatMap(({ smId, scId, smName }) =>
    ['2022', '2023', '2024', '2025'].map((scClassGrade) => ({
      schoolId,
      scClassId: newId(),
      scClassName: `${smName}${scClassGrade.slice(2)}01`,
      scClassGrade,
      smId,
      scId,
    })),
  )
  await ctx.db.insertInto('college').values(colleges).execute()
  await ctx.db.insertInto('major').values(majors).execute()
  await ctx.db.insertInto('schoolClass').values(classes).execute()
  return classes.map(({ scClassName, scClassGrade, smId, scId }) => ({
    className: scClassName,
    suiGrade: scClassGrade,
    majorName: majors.find((one) => one.smId === smId)!.smName,
    collegeName: colleges.find((one) => one.scId === scId)!.scName,
  }))
}
