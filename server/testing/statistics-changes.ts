import { sql } from 'kysely'
import { supplementType } from '../../contract/core/codes/programme.ts'
import { addDays } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import type { StatisticsWorld } from './statistics-world.ts'
import { asOwner } from './database.ts'

/** What happens to a school while statistics are kept of it: each writes raw rows only, for some that chance picks. */
export const changes: Record<string, (world: StatisticsWorld) => Promise<unknown>> = {
  moved: ({
    school: {
      ctx: { db },
    },
    random,
    students,
    classes,
    colleges,
  }) => {
    const to = random.one(classes)
    const place = random.odds(0.8)
      ? { suiCollegeId: to.scId, majorId: to.smId, scClassId: to.scClassId, suiGrade: to.grade }
      : {
          suiCollegeId: random.one([null, ...colleges]),
          majorId: null,
          scClassId: null,
          suiGrade: random.one([null, '2023']),
        }
    return db.updateTable('person').set(place).where('suId', 'in', random.some(students, 6)).execute()
  },
  left: ({
    school: {
      ctx: { db },
    },
    random,
    students,
    staff,
  }) =>
    db
      .updateTable('person')
      .set({ suiStatus: random.one(['1', '2', '4']) })
      .where('suId', 'in', [...random.some(students, 4), random.one(staff)])
      .execute(),
  removed: ({
    school: {
      ctx: { db },
    },
    random,
    students,
  }) =>
    db
      .updateTable('person')
      .set({ delFlag: random.one(['0', '1', '1']) })
      .where('suId', 'in', random.some(students, 2))
      .execute(),
  changed: ({
    school: {
      ctx: { db, clock },
    },
    random,
    students,
  }) =>
    db
      .updateTable('person')
      .set({
        suiSex: random.one(['1', '2', '9']),
        suiPolitical: random.one(['01', '13', null]),
        suiCredibility: random.whole(50, 110),
        blackUntil: random.one([null, addDays(clock.now(), 3)]),
        suiEnterDate: random.one([null, clock.now().slice(0, 10)]),
      })
      .where('suId', 'in', random.some(students, 5))
      .execute(),
  reversed: async ({
    school: {
      ctx: { db, clock },
      schoolId,
    },
    random,
  }) => {
    const all = await db
      .selectFrom('creditLedger as c')
      .selectAll()
      .where('c.schoolId', '=', schoolId)
      .where('c.source', '<>', 'REVERSE')
      .where((on) =>
        on.not(
          on.exists(
            on
              .selectFrom('creditLedger as r')
              .select('r.clId')
              .whereRef('r.schoolId', '=', 'c.schoolId')
              .whereRef('r.reverseOf', '=', 'c.clId'),
          ),
        ),
      )
      .orderBy('c.clId')
      .execute()
    const recordOf = ({ suId, bizId }: (typeof all)[number]) => `${suId} ${bizId}`
    const records = random.some([...new Set(all.map(recordOf))].toSorted(), 4)
    // a record is taken back whole; some are granted anew, worth something else or nothing
    const some = records.flatMap((record) => {
      const clValue = random.one([null, 0, 50])
      return all
        .filter((entry) => recordOf(entry) === record)
        .flatMap((entry) => {
          const more = { ...entry, reverseOf: entry.clId, explain: '{}' }
          return [
            { ...more, clId: newId(), clValue: -entry.clValue, source: 'REVERSE', occurTime: clock.now() },
            ...(clValue === null ? [] : [{ ...more, clId: newId(), clValue, source: 'ADJUST' }]),
          ]
        })
    })
    if (some.length > 0) await db.insertInto('creditLedger').values(some).execute()
  },
  attended: ({
    school: {
      ctx: { db },
      schoolId,
    },
    random,
    lessons,
  }) =>
    db
      .updateTable('registration')
      .set({ laStars: random.one([null, 1, 5]), laSignStatus: random.one(['1', '5', '6']) })
      .where('schoolId', '=', schoolId)
      .where('liId', 'in', random.some(lessons, 5))
      .execute(),
  withdrawn: ({
    school: {
      ctx: { db },
      schoolId,
    },
    random,
    lessons,
  }) =>
    db
      .updateTable('registration')
      .set({ delFlag: random.one(['0', '1']) })
      .where('schoolId', '=', schoolId)
      .where('liId', 'in', random.some(lessons, 2))
      .execute(),
  cancelled: ({
    school: {
      ctx: { db },
    },
    random,
    lessons,
  }) =>
    db
      .updateTable('lesson')
      .set({ liStatus: random.one(['91', '90', '70', '30']) })
      .where('liId', 'in', random.some(lessons, 3))
      .execute(),
  // other hours, another college, another leader, other guides; and courses that are removed
  handedOver: async ({
    school: {
      ctx: { db },
      schoolId,
    },
    random,
    lessons,
    colleges,
    staff,
  }) => {
    await db
      .updateTable('lesson')
      .set({
        liHours: random.whole(0, 800),
        liCollegeId: random.one([null, ...colleges]),
        liPrincipalId: random.one(staff),
      })
      .where('liId', 'in', random.some(lessons, 3))
      .execute()
    await db
      .updateTable('lesson')
      .set({ delFlag: random.one(['0', '1']) })
      .where('liId', 'in', random.some(lessons, 1))
      .execute()
    await db
      .deleteFrom('lessonPerson')
      .where('schoolId', '=', schoolId)
      .where('liId', 'in', random.some(lessons, 3))
      .execute()
    const guides = random
      .some(lessons, 3)
      .map((liId) => ({ schoolId, liId, suId: random.one(staff), lpRole: 'teacher' }))
    await db
      .insertInto('lessonPerson')
      .values(guides)
      .onConflict((on) => on.doNothing())
      .execute()
  },
  rescheduled: ({
    school: {
      ctx: { db, clock },
    },
    random,
    lessons,
    circles,
  }) => {
    const startTime = addDays(clock.now(), -random.whole(-5, 300))
    return db
      .updateTable('lesson')
      .set({ startTime, endTime: addDays(startTime, 1), liCircleId: random.one([null, ...circles]) })
      .where('liId', 'in', random.some(lessons, 3))
      .execute()
  },
  // what records are of: up to the node below their module or the module itself, and of another level
  reclassified: async ({ school: { ctx, schoolId }, random, lessons }) => {
    const levels = await ctx.db.selectFrom('lessonLevel').select('llId').where('schoolId', '=', schoolId).execute()
    const upwards = sql<string[]>`"lsPath"[1:${random.whole(1, 2)}::int]`
    await ctx.db
      .updateTable('lesson')
      .set({ liLevel: random.one(levels).llId, lsPath: upwards })
      .where('liId', 'in', random.some(lessons, 8))
      .execute()
    await ctx.db
      .updateTable('supplement')
      .set({ lisLevel: random.one(levels).llId, lsPath: upwards })
      .where('schoolId', '=', schoolId)
      .where('lisType', '=', random.one([supplementType.competitionAward, supplementType.certificate]))
      .execute()
  },
  signedIn: ({
    school: {
      ctx: { db, clock },
      schoolId,
    },
    random,
    students,
    staff,
  }) => {
    const day = addDays(clock.now(), -random.whole(0, 40)).slice(0, 10)
    const rows = random.some([...students, ...staff], 8).map((suId) => ({
      schoolId,
      suId,
      logDay: day,
      times: 7,
      hours: Array.from({ length: 24 }, (_, at) => (at === 9 ? 7 : 0)),
      lastTime: `${day} 09:30:00`,
      ip: '10.1.2.3',
      agent: '',
    }))
    return db
      .insertInto('loginDay')
      .values(rows)
      .onConflict((on) =>
        on.columns(['schoolId', 'suId', 'logDay']).doUpdateSet((to) => ({
          times: to.ref('excluded.times'),
          hours: to.ref('excluded.hours'),
          lastTime: to.ref('excluded.lastTime'),
        })),
      )
      .execute()
  },
  decided: ({
    school: {
      ctx: { db },
      schoolId,
    },
    random,
  }) =>
    db
      .updateTable('supplement')
      .set({ lisStatus: random.one(['2', '3', '5']), refuseReason: '材料不全' })
      .where('schoolId', '=', schoolId)
      .where('lisStatus', '=', random.one(['1', '2', '5']))
      .execute(),
  joined: async ({
    school: {
      ctx: { db, clock },
      schoolId,
    },
    random,
    students,
    circles,
  }) => {
    const now = clock.now()
    await db
      .insertInto('circleMember')
      .values(
        random.some(students, 12).map((suId) => ({
          schoolId,
          cpiId: newId(),
          ciId: random.one(circles),
          suId,
          joinTime: addDays(now, -random.whole(0, 400)),
        })),
      )
      .onConflict((on) => on.doNothing())
      .execute()
    await db
      .updateTable('circleMember')
      .set({ quitTime: now })
      .where('schoolId', '=', schoolId)
      .where('ciId', '=', random.one(circles))
      .where('quitTime', 'is', null)
      .execute()
    await db
      .updateTable('circleMember')
      .set({ joinTime: addDays(now, -30) })
      .where('schoolId', '=', schoolId)
      .where('ciId', '=', random.one(circles))
      .where('quitTime', 'is', null)
      .execute()
    const ciId = random.one(circles)
    await asOwner((all) =>
      all
        .deleteFrom('circleMember')
        .where('schoolId', '=', schoolId)
        .where('ciId', '=', ciId)
        .where('quitTime', 'is not', null)
        .execute(),
    )
  },
  // what checks on everybody has the school calculated as a whole
  goal: ({
    school: {
      ctx: { db },
      schoolId,
    },
    random,
  }) =>
    db
      .updateTable('curriculum')
      .set({ minHours: random.one([0, 100, 800]), required: random.one(['0', '1']) })
      .where('schoolId', '=', schoolId)
      .where('lsPid', 'is', null)
      .where(sql<boolean>`"lsSort" % 2 = ${random.whole(0, 1)}::int`)
      .execute(),
  total: ({ school, random }) => school.rules({ totalHours: random.one(['3', '64', '0']) }),
}
