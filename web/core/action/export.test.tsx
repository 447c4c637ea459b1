// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { exportReason } from '../../../contract/core/exports.ts'
import type { FailureName } from '../../../contract/core/failure.ts'
import { fileCall } from '../../../contract/core/file.ts'
import { draw } from '../../testing/draw.ts'
import { ExportDialog, exportFile } from './export.tsx'

const call = fileCall('POST', '/rows/export', {
  summary: '导出试验名单',
  permit: 'rows:export',
  input: z.object({ reason: exportReason }),
})

test.each<[FailureName, boolean, string]>([
  ['export-reason-needed', false, '共约 1,200 行，'],
  ['export-reason-needed', true, '超过 1,200 行，行数越多用时越长。'],
  ['export-part-reason-needed', false, '列表共 1,200 行，只导出您有导出权限的部分。'],
  ['export-part-reason-needed', true, '列表超过 1,200 行，只导出您有导出权限的部分。'],
])('%s, of more rows than are counted %s: the question tells how many leave', async (reason, isCapped, told) => {
  const refusal = { code: 300, msg: '导出超过 500 行须填写导出原因', reason, data: null }
  draw(<ExportDialog />)
  const headers = { 'content-type': 'application/json' }
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(refusal), { headers })))
  await exportFile(call, {}, { rows: { total: 1200, isCapped } })
  await vi.waitFor(() => expect(document.querySelector('.ask-skipped')).not.toBeNull())
  expect(document.querySelector('.ask-skipped')!.textContent).toMatch(new RegExp(`^${told}`))
})
