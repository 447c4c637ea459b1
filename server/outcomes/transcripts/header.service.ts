import { sql } from 'kysely'
import type { Output } from '../../../contract/core/call.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import { starsOf } from '../../../contract/outcomes/transcripts/stars.ts'
import type { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { earnedOn } from '../../programme/credits/statement.service.ts'
import { termFinder } from '../../school/school/calendar.service.ts'
import { picturesForPrint } from '../../school/school/profile.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { substanceOf, type CredentialProof } from './credential.ts'
import { contentOf, printed } from './issues.service.ts'
import { schoolYears } from './school-years.ts'
import { partKey, transcriptsOf, type TranscriptPart } from './transcripts.service.ts'

/**
 * A transcript without its rows, with the terms something was done in. Where a valid issue of this part says just what
 * the transcript says now, the issue is answered as it was signed; where it says something else it is not: its serial
 * must not stand over figures that were never signed.
 */
export async function transcriptHeader(
  ctx: Context,
  suId: string,
  part: TranscriptPart,
): Promise<Output<typeof transcriptApi.header>> {
  const { lang = 'zh' } = part
  const [[transcript], days, termAt, rules, issue, { badge }] = await Promise.all([
    transcriptsOf(ctx, [suId], part),
    earnedOn(ctx, suId),
    termFinder(ctx, ctx.actor.schoolId),
    schoolSettings(ctx, ctx.actor.schoolId),
    validIssue(ctx, suId, partKey(part), lang),
    picturesForPrint(ctx),
  ])
  const isCurrent = issue !== undefined && issue.substance.equals(substanceOf(contentOf(transcript!)))
  const { rows: _, ...header } = isCurrent ? printed(ctx, issue).transcript : transcript!
  const terms = new Map(days.map(termAt).map((term) => [term.tmStart, term]))
  return {
    ...header,
    summary: {
      ...header.summary,
      stars: starsOf(
        toHundredths(header.summary.totalHours) ?? 0,
        toHundredths(header.summary.requiredHours) ?? 0,
        rules.starSteps,
      ),
      asOf: header.asOf,
    },
    badge,
    issueStand: isCurrent ? 'current' : issue ? 'changed' : 'none',
    signature: isCurrent ? issue.proof.proofValue : null,
    issueTime: isCurrent ? issue.issueTime : null,
    years: partKey(part) === '' ? schoolYears(transcript!.rows, rules, transcript!.asOf) : [],
    terms: [...terms.values()].toSorted((a, b) => (a.tmStart < b.tmStart ? 1 : -1)),
  }
}

/** The valid issue of a part of a student's transcript in a language. */
async function validIssue(ctx: Context, suId: string, tiScope: string, lang: string) {
  const row = await from(ctx, 'transcriptIssue')
    .select([
      'tiId',
      'serial',
      'issueTime',
      'content',
      'proof',
      'substance',
      sql<string>`encode("digest", 'hex')`.as('digest'),
    ])
    .where('suId', '=', suId)
    .where('tiScope', '=', tiScope)
    .where('tiLang', '=', lang)
    .where('tiStatus', '=', sql.lit('1'))
    .executeTakeFirst()
  return row && { ...row, proof: row.proof as CredentialProof }
}
