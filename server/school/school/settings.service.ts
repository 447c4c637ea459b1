import type { Checked } from '../../../contract/core/call.ts'
import { invalidInput } from '../../../contract/core/failure.ts'
import type { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import {
  ownSettings,
  readSettings,
  settingFaults,
  wireSettings,
} from '../../../contract/school/school/setting-values.ts'
import type { SchoolSettings, SettingValues } from '../../../contract/school/school/settings.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { keptConfiguration } from '../../core/database/configuration.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'

const keptSettings = keptConfiguration(async ({ db, schoolId }) => {
  const row = await from({ db, schoolId }, 'school').select('settings').executeTakeFirst()
  return readSettings(row?.settings)
})

/**
 * The rules of a school as they are now, in a transaction as it sees them. What the school never set is the default.
 */
export const schoolSettings = ({ db }: Pick<PublicContext, 'db'>, schoolId: string): Promise<SchoolSettings> =>
  keptSettings({ db, schoolId })

/** All settings of the own school as the wire carries them. */
export async function readRules(ctx: Context): Promise<SettingValues> {
  return wireSettings(await schoolSettings(ctx, ctx.actor.schoolId))
}

/** The settings with their version, for whoever may look at or change them. */
export async function settingsForEdit({ db, actor }: Context) {
  const { settings, version } = await from({ db, actor }, 'school')
    .select(['settings', 'settingsVersion as version'])
    .executeTakeFirstOrThrow()
  return {
    values: wireSettings(readSettings(settings)),
    version,
    can: actor.permits.has('school:edit') ? (['edit'] as const).slice() : [],
  }
}

/**
 * Changes some settings; the others stay. They are judged together as they will stand, and one that is its default
 * again is no longer kept.
 */
export async function saveSettings(
  ctx: Context,
  { version, values, reason = '' }: Checked<typeof schoolInfoApi.saveSettings>,
) {
  const { schoolId } = ctx.actor
  const saved = await inTransaction(ctx, async (tx) => {
    const row = await from({ db: tx.db, schoolId }, 'school')
      .select(['settings', 'settingsVersion as version', 'schName'])
      .forUpdate()
      .executeTakeFirst()
    assertVersion(tx, row, version)
    const before = readSettings(row.settings)
    const after = {
      ...before,
      ...(Object.fromEntries(
        Object.entries(values).filter(([, value]) => value !== undefined),
      ) as Partial<SchoolSettings>),
    }
    const faults = settingFaults(after)
    if (faults.length > 0) throw invalidInput(faults.map(({ field, msg }) => ({ field: `values.${field}`, msg })))
    const changes = changedFields(wireSettings(before), wireSettings(after))
    const affected = Object.keys(changes.after).length
    if (affected === 0) return { affected, version: row.version }
    await tx.db
      .updateTable('school')
      .set({ settings: JSON.stringify(ownSettings(wireSettings(after))), settingsVersion: row.version + 1 })
      .where('schoolId', '=', schoolId)
      .execute()
    await audit(tx, {
      action: '修改规则设置',
      bizType: 'settings',
      bizId: schoolId,
      bizName: row.schName,
      ...changes,
      reason,
    })
    return { affected, version: row.version + 1 }
  })
  // some rules say what people have to do before anything else
  forgetActors(schoolId)
  return saved
}
