import { maxPeriod } from '../contract/outcomes/statistics/statistics.schema.ts'
import { addDays, systemClock } from '../server/core/base/clock.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { clientsAt } from './clients.ts'
import { median } from './load.ts'
import { size } from './prepare.ts'
import { startServer } from './processes.ts'
import { databaseMeter } from './processor-time.ts'
import { rounded, type Part } from './report.ts'
import { requestOf, statisticsCalls } from './statistics.ts'

/** Bars, in milliseconds: the first answer of a process about a school, and every further one. */
const bars = { first: 2000, next: 300 }
const rounds = 5
/** Days of the periods asked for: a school year, and the longest one that statistics are answered for. */
const periods = { 'a year': 365, 'six years': maxPeriod }

/**
 * Every statistics call about the whole school, for a school year and for the longest period there is, by one person
 * alone: the first answer of a process, and the middle one of the next, each for another period.
 */
export async function schoolYear({ owner, pool }: OpenServices): Promise<Part> {
  const service = await startServer('service.ts', JSON.stringify(owner))
  const part: Part = {
    title: `Statistics of the whole school, ${size.students.toLocaleString('en')} students, one person alone; milliseconds of processor time, service and database together`,
    rows: [],
    missed: [],
  }
  try {
    const { token } = await clientsAt(service.address)('admin')
    const today = systemClock.now().slice(0, 10)
    const idle = (await service.usage()).memory
    let asked = 0
    for (const [name, call] of statisticsCalls) {
      const row: Part['rows'][number] = { call: name }
      for (const [period, length] of Object.entries(periods)) {
        const times: number[] = []
        for (let round = 0; round <= rounds; round++) {
          // a second more makes it a period that nobody has asked for
          const second = String(asked++ % 60).padStart(2, '0')
          const { path, method, body } = requestOf(call, {
            startTime: `${addDays(today, 1 - length)} 00:00:${second}`,
            endTime: `${today} 23:59:59`,
          })
          const meter = await databaseMeter(pool)
          const before = (await service.usage()).cpu + meter()
          const answer = await fetch(service.address + path, {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(body && { body }),
          })
          const text = await answer.text()
          if (!text.startsWith('{"code":200')) throw new Error(`${path} was refused: ${text.slice(0, 300)}`)
          times.push((await service.usage()).cpu + meter() - before)
        }
        const [first, next] = [times[0]!, median(times.slice(1))]
        row[`${period}, first`] = rounded(first)
        row[`${period}, next`] = rounded(next)
        if (first > bars.first)
          part.missed.push(`${name} of ${period}: the first answer took ${rounded(first)} ms, ${bars.first} allowed`)
        if (next > bars.next) part.missed.push(`${name} of ${period}: ${rounded(next)} ms, ${bars.next} allowed`)
      }
      part.rows.push(row)
    }
    part.rows.push({
      call: 'memory of the process beyond idle, MB',
      'a year, first': Math.round(((await service.usage()).memory - idle) / 1e6),
    })
    return part
  } finally {
    await service.stop()
  }
}
