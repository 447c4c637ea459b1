import type { Checked } from '../../../contract/core/call.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ImportKind } from '../../../contract/platform/imports/imports.schema.ts'
import type { sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { readUpload } from '../../platform/imports/check.service.ts'
import type { Importers } from '../../platform/imports/importer.ts'
import { fetchSource } from './fetch-source.ts'
import type { SourceConnection } from './source-connection.ts'
import { visibleSources } from './sources.queries.ts'

/** Fetches what a source gives and looks whether its columns are those of the template; changes nothing. */
export const testSource =
  (importers: Importers) =>
  async (ctx: Context, { isId }: Checked<typeof sourceApi.test>) => {
    const source = await visibleSources(ctx).selectAll().where('isId', '=', isId).executeTakeFirst()
    if (!source) throw new Failure('not-found')
    const importer = importers[source.isKind as ImportKind]!
    const steps: { name: string; isGood: boolean; text: string }[] = []
    let hostKey = ''
    const tried = async <R>(name: string, work: () => Promise<R>, good: (found: R) => string) => {
      try {
        const found = await work()
        steps.push({ name, isGood: true, text: good(found) })
        return found
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        steps.push({ name, isGood: false, text: error.msg })
        if (isOneOf(error.reason, 'source-host-unknown', 'source-host-changed')) hostKey = String(error.values['key'])
        return undefined
      }
    }
    const place = source.place as unknown as SourceConnection
    const fetched = await tried(
      '取数',
      () => fetchSource(ctx, { way: source.isWay, kind: source.isKind }, place, unseal(source.secret, ctx.secrets)),
      ({ name, size }) => `取到 ${name}，${Math.ceil(size / 1024)} KB`,
    )
    if (!fetched) return { steps, rows: 0, columns: [], hostKey }
    try {
      const content = await tried(
        '列名',
        () => readUpload(ctx, importer, fetched.path, {}),
        ({ heads }) => `列名与模板一致：${(heads ?? []).map(({ label }) => label).join('、')}`,
      )
      if (!content?.heads) return { steps, rows: 0, columns: [], hostKey }
      const { heads, data } = content
      steps.push({
        name: '数据',
        isGood: data.length > 0,
        text: data.length > 0 ? `共 ${data.length} 行` : '没有数据行，同步时不会改动任何记录',
      })
      return { steps, rows: data.length, columns: heads.map(({ label }) => label), hostKey }
    } finally {
      await fetched.remove()
    }
  }
