import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { codesOf } from '../../../contract/core/codes/code-list.ts'
import {
  enableStatus,
  messageChannel,
  messageMode,
  messageType,
  type MessageChannel,
  type MessageMode,
} from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ChannelSettings } from '../../../contract/school/channels/channel-form.ts'
import type { messagePreferenceApi } from '../../../contract/school/channels/message-texts.calls.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { accountOf } from '../people/accounts.service.ts'
import { visibleChannels } from './channels.service.ts'
import { addressBy } from './message-senders.ts'

/** Only mail is gathered: a text message a day that lists others helps nobody. */
const modesOf = (channel: string): MessageMode[] =>
  channel === messageChannel.mail ? codesOf(messageMode) : [messageMode.now, messageMode.off]

const ownPreferences = (ctx: Context) => from(ctx, 'messagePreference').where('suId', '=', ctx.actor.suId)

/** How whoever asks gets which messages by which channel, as they or else their school want it. */
export async function listPreferences(ctx: Context) {
  const [channels, own, account] = await Promise.all([
    visibleChannels(ctx)
      .select(['odChannel', 'settings', 'messageKinds', 'digestKinds'])
      .where('enable', '=', enableStatus.enabled)
      .orderBy('odChannel')
      .orderBy('odName')
      .execute(),
    ownPreferences(ctx).select(['odChannel', 'messageKind', 'mpMode']).execute(),
    accountOf(ctx.db, ctx.actor.schoolId, ctx.actor.suId),
  ])
  const rows = channels.flatMap(({ odChannel, settings, messageKinds, digestKinds }) =>
    codesOf(messageType)
      .filter((kind) => messageKinds.includes(kind))
      .map((kind) => {
        const chosen = own.find((row) => row.odChannel === odChannel && row.messageKind === kind)?.mpMode
        return {
          odChannel: odChannel as MessageChannel,
          target: account ? addressBy(ctx, odChannel, settings as ChannelSettings, account) : '',
          messageKind: kind,
          mpMode: (chosen as MessageMode) ?? (digestKinds.includes(kind) ? messageMode.digest : messageMode.now),
          modes: modesOf(odChannel),
        }
      }),
  )
  // two channels of one way are one to the person
  return rows.filter(
    (row, at) => rows.findIndex((one) => one.odChannel === row.odChannel && one.messageKind === row.messageKind) === at,
  )
}

/** Notes how whoever asks wants messages of a kind by a channel. No audit: it is nobody's business but theirs. */
export async function savePreference(ctx: Context, input: Checked<typeof messagePreferenceApi.save>) {
  if (!modesOf(input.odChannel).includes(input.mpMode)) throw new Failure('digest-by-mail-only')
  const row = { ...input, schoolId: ctx.actor.schoolId, suId: ctx.actor.suId, updateTime: ctx.clock.now() }
  await ctx.db
    .insertInto('messagePreference')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['schoolId', 'suId', 'odChannel', 'messageKind'])
        .doUpdateSet({ mpMode: sql`excluded."mpMode"`, updateTime: sql`excluded."updateTime"` }),
    )
    .execute()
  return { affected: 1 }
}
