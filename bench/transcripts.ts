import { setTimeout as sleep } from 'node:timers/promises'
import { printBatchStatus } from '../contract/core/codes/outcomes.ts'
import { personType } from '../contract/core/codes/school.ts'
import { transcriptBatchApi } from '../contract/outcomes/transcripts/batches.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import type { Client } from '../server/testing/client.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { clientsAt } from './clients.ts'
import { benchSchool } from './prepare.ts'
import { startServer } from './processes.ts'
import { rounded, type Part } from './report.ts'

/** Transcripts of a batch; `BENCH_TRANSCRIPTS` makes it smaller, and the bars with it. */
const count = Number(process.env['BENCH_TRANSCRIPTS'] ?? 1000)
/**
 * Bars: one transcript in milliseconds, warm; a thousand as one document and as archive in seconds; how much slower
 * others may get meanwhile.
 */
const bars = { one: 150, pdf: 15, zip: 60, others: 2 }

/**
 * One transcript as PDF, and a thousand of them as one document and as archive, while others read the transcript list.
 */
export async function transcripts({ pool, owner }: OpenServices): Promise<Part> {
  const service = await startServer('service.ts', JSON.stringify(owner))
  const part: Part = { title: `Transcripts as PDF, ${count.toLocaleString('en')} in a batch`, rows: [], missed: [] }
  const check = (what: string, value: number, bar: number, unit: string) => {
    part.rows.push({ what, value: rounded(value), bar: rounded(bar), unit })
    if (value > bar) part.missed.push(`${what}: ${rounded(value)} ${unit}, ${bar} allowed`)
  }
  try {
    const client = await clientsAt(service.address)('admin')
    const { rows } = await pool.query<{ suId: string }>(
      `select "suId" from "person" where "schoolId" = $1 and "suiType" = '${personType.student}' and "delFlag" = '0' order by "suiNumber" limit $2`,
      [benchSchool, count],
    )
    const suIds = rows.map(({ suId }) => suId)
    const single = async (suId: string) => timed(() => client.download(transcriptApi.export, { suIds: [suId] }))
    for (const suId of suIds.slice(0, 5)) await single(suId)
    check('one transcript, 95th of a hundred', at95(await inTurn(suIds.slice(5, 105), single)), bars.one, 'ms')
    const quiet = at95(
      await inTurn(Array.from({ length: 60 }), () => timed(() => client.send(transcriptApi.list, { pageSize: 20 }))),
    )
    for (const format of ['pdf', 'zip'] as const) {
      const { seconds, others } = await batch(client, suIds, format)
      check(`${count.toLocaleString('en')} as ${format}`, seconds, (bars[format] * Math.max(count, 100)) / 1000, 's')
      check(`others while ${format} is made, 95th`, others, Math.max(quiet * bars.others, 20), 'ms')
    }
    return part
  } finally {
    await service.stop()
  }
}

async function batch(client: Client, suIds: string[], format: 'pdf' | 'zip') {
  const began = performance.now()
  const { tbId } = await client.send(transcriptBatchApi.start, { suIds, format, reason: '测量批量打印的速度' })
  const times: number[] = []
  for (;;) {
    times.push(await timed(() => client.send(transcriptApi.list, { pageSize: 20 })))
    const row = (await client.send(transcriptBatchApi.list, {})).records.find((one) => one.tbId === tbId)!
    if (row.tbStatus === printBatchStatus.done) break
    if (row.tbStatus !== printBatchStatus.waiting && row.tbStatus !== printBatchStatus.running)
      throw new Error(`the batch ended in state ${row.tbStatus}: ${JSON.stringify(row.faults)}`)
    await sleep(100)
  }
  const seconds = (performance.now() - began) / 1000
  await client.send(transcriptBatchApi.remove, { tbId })
  return { seconds, others: at95(times) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (const item of items) times.push(await work(item))
  return times
}

const at95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0
