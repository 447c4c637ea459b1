import type { Checked, Output } from '../../contract/core/call.ts'
import { Failure } from '../../contract/core/failure.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import { transcriptApi } from '../../contract/outcomes/transcripts/transcripts.calls.ts'
import type { ownRecordApi } from '../../contract/student/record.calls.ts'
import type { Context } from '../core/request/context.ts'
import { correctionKey, correctionsOf } from '../programme/credits/corrections.queries.ts'
import type { RecordWorth } from '../programme/credits/corrections.ts'
import { courseNames } from '../programme/lessons/lists/course-names.service.ts'
import { credibilityLog, credibilityStatus } from '../school/people/credibility.queries.ts'
import { credibilityRulesOf } from '../school/people/credibility-rules.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { warningDetail } from '../outcomes/thresholds/detail.service.ts'
import { transcriptHeader } from '../outcomes/transcripts/header.service.ts'
import { listIssues } from '../outcomes/transcripts/issues.queries.ts'
import { badgeFile, learnerRecordFile } from '../outcomes/transcripts/open-credentials.service.ts'
import { credentialFile, exportTranscripts } from '../outcomes/transcripts/printing.service.ts'
import { transcriptEntries } from '../outcomes/transcripts/entries.service.ts'
import { withOwnRights } from './own-rights.ts'

type Input<K extends keyof typeof ownRecordApi> = Checked<(typeof ownRecordApi)[K]>
type Answer<K extends keyof typeof ownRecordApi> = Output<(typeof ownRecordApi)[K]>

/** The student's transcript without its entries, with how it stands to what was issued of it. */
export const ownRecord = (ctx: Context, { lang }: Input<'summary'>) => transcriptHeader(ctx, ctx.actor.suId, { lang })

/**
 * What was credited to the student, the latest first, each with how its value came about and what was corrected of it;
 * who corrected it is not told.
 */
export async function ownEntries(ctx: Context, input: Input<'entries'>): Promise<Answer<'entries'>> {
  const { suId } = ctx.actor
  const { records, ...rest } = await transcriptEntries(ctx, { ...input, suId })
  const corrections = await correctionsOf(
    ctx,
    suId,
    records.flatMap(({ liId, lisId }) => liId ?? lisId ?? []),
  )
  return {
    ...rest,
    records: records.map((row) => ({
      ...row,
      corrections: (corrections.get(correctionKey(row.liId ?? row.lisId ?? '', row.moduleId)) ?? []).map(
        ({ before, after, ...correction }) => ({ ...correction, before: asText(before), after: asText(after) }),
      ),
    })),
  }
}
const asText = ({ hours, credit, points }: RecordWorth) => ({
  hours: fromHundredths(hours),
  credit: fromHundredths(credit),
  points: fromHundredths(points),
})

/**
 * What the student's year asks for and they lack, what they will have at their pace, and courses that would fill it.
 * What staff noted about helping them is not told.
 */
export async function ownProspect(ctx: Context): Promise<Answer<'prospect'>> {
  try {
    const { warning, suggestions } = await warningDetail(withOwnRights(ctx), { suId: ctx.actor.suId })
    const { warnLevel, totalHave, totalNeed, totalGap, finalGap, zeroTerm, gaps, calcTime } = warning
    return {
      warning: { warnLevel, totalHave, totalNeed, totalGap, finalGap, zeroTerm, gaps, calcTime },
      suggestions,
    }
  } catch (error) {
    // whom no job has checked yet has nothing to be told
    if (error instanceof Failure && error.reason === 'not-found') return { warning: null, suggestions: [] }
    throw error
  }
}

/** Where the student stands with their credibility, and what gives points back. */
export async function ownCredibility(ctx: Context): Promise<Answer<'credibility'>> {
  const { suId, schoolId } = ctx.actor
  const [{ can: _, ...standing }, { goodSigns, highLevelGain }, { restoreOnSign }] = await Promise.all([
    credibilityStatus(withOwnRights(ctx), { suId }),
    credibilityRulesOf(ctx, schoolId),
    schoolSettings(ctx, schoolId),
  ])
  const gains =
    standing.suiCredibility >= standing.max
      ? []
      : [
          ...(goodSigns > 0 ? [`每正常签到 ${goodSigns} 次加 1 分`] : []),
          ...(highLevelGain > 0 ? [`每完成一次校级及以上活动加 ${highLevelGain} 分`] : []),
          ...(restoreOnSign ? ['缺席经核实补签后，退还因缺席扣除的分'] : []),
          '对扣分有异议，可向活动负责人或学院说明，核实后恢复',
        ]
  return { ...standing, gains }
}

const log = credibilityLog({ courses: courseNames })

/** Every change of the student's credibility, the latest first; who made it is not told. */
export async function ownCredibilityLog(
  ctx: Context,
  page: Input<'credibilityLog'>,
): Promise<Answer<'credibilityLog'>> {
  const { records, ...rest } = await log(withOwnRights(ctx), { ...page, suId: ctx.actor.suId })
  return {
    ...rest,
    records: records.map(({ cgId, createTime, change, after, reasonCode, reason, liName, restored }) => ({
      cgId,
      createTime,
      change,
      after,
      reasonCode: reasonCode as Answer<'credibilityLog'>['records'][number]['reasonCode'],
      reason,
      liName,
      restored,
    })),
  }
}

/** What was issued of the student's transcript, and whether they may issue it themselves. */
export async function ownIssues(ctx: Context, page: Input<'issues'>): Promise<Answer<'issues'>> {
  const [{ records, ...rest }, { transcriptSelf, transcriptBadges }] = await Promise.all([
    listIssues(withOwnRights(ctx), { ...page, suId: ctx.actor.suId }),
    schoolSettings(ctx, ctx.actor.schoolId),
  ])
  return {
    ...rest,
    records: records.map(({ tiId, serial, tiExtract, tiLang, tiStatus, issueTime, revokeReason }) => ({
      tiId,
      serial,
      tiExtract,
      tiLang,
      tiStatus,
      issueTime,
      revokeReason,
    })),
    mayPrint: transcriptSelf,
    hasBadges: transcriptBadges,
  }
}

/** The signed credential file of one of the student's own issues. */
export const ownCredential = (ctx: Context, { tiId }: Input<'credential'>) => credentialFile(ctx, { tiId })

/** One of the student's own issues as a learner record that other systems take. */
export const ownLearnerRecord = (ctx: Context, { tiId }: Input<'learnerRecord'>) => learnerRecordFile(ctx, { tiId })

/** One of the student's own records as a badge, where the school wants badges. */
export async function ownBadge(ctx: Context, { recId, format }: Input<'badge'>) {
  const { transcriptBadges } = await schoolSettings(ctx, ctx.actor.schoolId)
  if (!transcriptBadges) throw new Failure('badges-not-self')
  return badgeFile(withOwnRights(ctx, transcriptApi.export.permit), { suId: ctx.actor.suId, recId, format })
}

/**
 * Issues and prints the student's whole transcript, signed and with its serial, where the school lets students do so.
 */
export async function printOwnTranscript(ctx: Context, { lang }: Input<'print'>) {
  const { transcriptSelf } = await schoolSettings(ctx, ctx.actor.schoolId)
  if (!transcriptSelf) throw new Failure('transcript-not-self')
  return exportTranscripts(withOwnRights(ctx, transcriptApi.export.permit), { suIds: [ctx.actor.suId], lang })
}
