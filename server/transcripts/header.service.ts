import { sql } from 'kysely'
import type { Output } from '../../contract/core/call.ts'
import type { transcriptApi } from '../../contract/transcripts/transcripts.calls.ts'
import type { Context } from '../core/context.ts'
import { earnedOn } from '../credits/statement.service.ts'
import { termFinder } from '../school/calendar.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { substanceOf } from './credential.ts'
import { contentOf } from './issues.service.ts'
import { schoolYears } from './school-years.ts'
import { partKey, transcriptsOf, type TranscriptPart } from './transcripts.service.ts'

/** A transcript without its rows, with the valid issue of this part where there is one that says just this, and the terms something was done in. */
export async function transcriptHeader(ctx: Context, suId: string, part: TranscriptPart): Promise<Output<typeof transcriptApi.header>> {
  const [[transcript], days, termAt, rules, issue] = await Promise.all([transcriptsOf(ctx, [suId], part), earnedOn(ctx, suId), termFinder(ctx, ctx.actor.schoolId), schoolSettings(ctx, ctx.actor.schoolId), validIssue(ctx, suId, partKey(part))])
  const { rows, ...header } = transcript!
  // the serial of another content would vouch for what it does not say
  const standing = issue?.substance.equals(substanceOf(contentOf(transcript!))) ? issue : undefined
  const terms = new Map(days.map(termAt).map((term) => [term.tmStart, term]))
  const years = partKey(part) === '' ? schoolYears(rows, rules, header.asOf) : []
  return { ...header, years, serial: standing?.serial ?? '', digest: standing?.digest ?? '', issueTime: standing?.issueTime ?? null, terms: [...terms.values()].toSorted((a, b) => (a.tmStart < b.tmStart ? 1 : -1)) }
}

/** The valid Chinese issue of a part of a student's transcript. */
const validIssue = ({ db, actor }: Context, suId: string, tiScope: string) =>
  db
    .selectFrom('transcriptIssue')
    .select(['serial', 'issueTime', 'substance', sql<string>`encode("digest", 'hex')`.as('digest')])
    .where('schoolId', '=', actor.schoolId).where('suId', '=', suId).where('tiScope', '=', tiScope).where('tiLang', '=', 'zh').where('tiStatus', '=', sql.lit('1'))
    .executeTakeFirst()
