import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { personalApi } from '../../../contract/programme/personal/personal.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { dataOf, type DataPart } from './my-data.ts'

/** Everything held about the caller as a file of their own. On record, like everything that leaves the house. */
export async function myData(ctx: Context, { format }: Checked<typeof personalApi.myData>): Promise<FileAnswer> {
  const parts = await dataOf(ctx)
  const at = ctx.clock.now()
  const { schoolId, suId, suNickname } = ctx.actor
  await audit(ctx, {
    action: '下载我的数据',
    bizType: 'export',
    bizName: '我的数据',
    after: { format, rows: parts.reduce((sum, { rows }) => sum + rows.length, 0) },
  })
  const name = `我的数据-${at.slice(0, 10)}`
  if (format === 'html')
    return { name: `${name}.html`, type: 'text/html; charset=utf-8', body: Buffer.from(page(suNickname, at, parts)) }
  const asObjects = Object.fromEntries(
    parts.map(({ title, columns, rows }) => [
      title,
      rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
    ]),
  )
  return {
    name: `${name}.json`,
    type: 'application/json; charset=utf-8',
    body: Buffer.from(JSON.stringify({ schoolId, suId, exportTime: at, ...asObjects }, null, 2)),
  }
}

/** One page to be read and printed: no script, no address of elsewhere, every value as text. */
const page = (
  name: string,
  at: string,
  parts: DataPart[],
): string => `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>我的数据</title><style>
body{font:14px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;color:#1b2430;max-width:1100px;margin:32px auto;padding:0 16px}h1{font-size:22px}h2{font-size:16px;margin-top:32px}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #cbd3dd;padding:4px 8px;text-align:left;vertical-align:top;white-space:pre-line;overflow-wrap:anywhere}th{background:#f7f9fc}p{color:#4a5666}
</style></head><body><h1>${esc(name)}的第二课堂数据</h1><p>导出时间：${esc(at)}。含个人敏感信息，请妥善保管。</p>
${parts.map(({ title, columns, rows }) => `<h2>${esc(title)}（${rows.length}）</h2>${rows.length === 0 ? '<p>暂无数据</p>' : `<table><thead><tr>${columns.map((column) => `<th scope="col">${esc(column)}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${esc(String(cell ?? ''))}</td>`).join('')}</tr>`).join('')}</tbody></table>`}`).join('\n')}
</body></html>`

const esc = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
