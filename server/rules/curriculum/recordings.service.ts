import { wholeSchool } from '../../../contract/core/scope.ts'
import { windowOfMonths } from '../../../contract/rules/curriculum/supplement-window.ts'
import { dayOf } from '../../core/base/clock.ts'
import { keptConfiguration } from '../../core/database/configuration.ts'
import type { Db } from '../../core/database/pool.ts'
import type { Context } from '../../core/request/context.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { curriculumRows } from './curriculum.queries.ts'
import { recordingOf, type Recording } from './recording.ts'

/** A node of the curriculum as supplements see it. */
export interface RecordingPlace {
  lsId: string
  lsName: string
  /** `技能特长 / 语言证书`. */
  fullName: string
  lsPath: string[]
  allowLevels: string[]
  /** Null: it takes no supplements at any time. */
  recording: Recording | null
}

/** Every node with whether and how it takes supplements today. */
export const recordingPlaces = (ctx: Context): Promise<readonly RecordingPlace[]> =>
  placesOn(ctx, dayOf(ctx.clock.now()))

/** The same on a day. */
export const placesOn = (
  { db, actor }: { db: Db; actor: { schoolId: string } },
  day: string,
): Promise<readonly RecordingPlace[]> => keptPlaces({ db, schoolId: actor.schoolId }, day)

const keptPlaces = keptConfiguration(async ({ db, schoolId }, today): Promise<RecordingPlace[]> => {
  const [rows, { supMonths }] = await Promise.all([
    curriculumRows({ db, actor: { schoolId }, scope: wholeSchool }),
    schoolSettings({ db }, schoolId),
  ])
  const byId = new Map(rows.map((row) => [row.lsId, row]))
  const usual = windowOfMonths(supMonths)
  return rows.map((row) => ({
    lsId: row.lsId,
    lsName: row.lsName,
    lsPath: row.lsPath,
    allowLevels: row.allowLevels,
    fullName: row.lsPath.map((lsId) => byId.get(lsId)?.lsName ?? '').join(' / '),
    recording: recordingOf(row, byId, today, usual),
  }))
})
