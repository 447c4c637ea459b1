import type { z } from 'zod'
import type { Call } from '../contract/core/call.ts'
import { maxPeriod } from '../contract/outcomes/statistics/statistics.schema.ts'
import { addDays, systemClock } from '../server/core/base/clock.ts'
import type { Db } from '../server/core/database/pool.ts'
import { benchSchool } from './prepare.ts'

/** The shortest period that is asked for, in days. */
const minPeriod = 60

/** What statistics of the school can be asked by. */
interface Choices {
  /** Every class with what it belongs to. */
  classes: { collegeId: string; majorId: string; scClassId: string; grade: string }[]
  nodes: string[]
  levels: string[]
}

async function choicesOf(db: Db): Promise<Choices> {
  const [classes, nodes, levels] = await Promise.all([
    db
      .selectFrom('statPlace')
      .select(['collegeId', 'majorId', 'classId as scClassId', 'grade'])
      .where('schoolId', '=', benchSchool)
      .where('classId', 'is not', null)
      .orderBy('plId')
      .execute(),
    db.selectFrom('curriculum').select('lsId').where('schoolId', '=', benchSchool).orderBy('lsId').execute(),
    db.selectFrom('lessonLevel').select('llId').where('schoolId', '=', benchSchool).orderBy('llId').execute(),
  ])
  return {
    classes: classes as Choices['classes'],
    nodes: nodes.map(({ lsId }) => lsId),
    levels: levels.map(({ llId }) => llId),
  }
}

/** Numbers from 0 to 1 that are the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Filters nobody has asked yet, of those that a call takes: a period of any length from two months to the longest one,
 * a third of them for the whole school, the others for a college, a grade, a major, a class or several of these; every
 * fourth for a part of the curriculum, every eighth for a level.
 */
export async function newFilters(db: Db, seed = 1): Promise<(call: Call) => Record<string, string>> {
  const { classes, nodes, levels } = await choicesOf(db)
  const today = systemClock.now().slice(0, 10)
  const random = randomNumbers(seed)
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
  let asked = 0
  return (call) => {
    const takes = new Set(Object.keys((call.input as unknown as z.ZodObject).shape))
    const length = minPeriod + Math.floor(random() * (maxPeriod - minPeriod))
    const end = addDays(`${today} 00:00:00`, -Math.floor(random() * (maxPeriod - length)))
    const place = one(classes)
    const placed = one([
      [],
      [],
      [],
      ['collegeId'],
      ['collegeId', 'grade'],
      ['grade'],
      ['collegeId', 'majorId', 'grade'],
      ['collegeId', 'majorId', 'scClassId', 'grade'],
      ['scClassId'],
    ] as const)
    const second = String(asked++ % 60).padStart(2, '0')
    const filter: Record<string, string> = {
      // a second more or less makes a filter new where chance gives the same days again
      startTime: `${addDays(end, -length).slice(0, 10)} 00:00:${second}`,
      endTime: `${end.slice(0, 10)} 23:59:59`,
      ...Object.fromEntries(placed.map((key) => [key, place[key]])),
      ...(random() < 1 / 4 && { lsId: one(nodes) }),
      ...(random() < 1 / 8 && { llId: one(levels) }),
    }
    return Object.fromEntries(Object.entries(filter).filter(([key]) => takes.has(key)))
  }
}
