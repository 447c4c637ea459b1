import { yesNo } from '../../contract/core/codes/platform.ts'
import type { Sheet } from '../../contract/core/sheets.ts'
import { importApi } from '../../contract/platform/imports/imports.calls.ts'
import type { ImportKind } from '../../contract/platform/imports/imports.schema.ts'
import type { Client } from './client.ts'
import { csvOf } from './csv.ts'

const all = { current: 1, pageSize: 200 }

/** Uploads rows as a sheet and has them checked: what is found of each, and the calls that import and undo them. */
export async function checked(client: Client, sheet: Sheet, rows: Record<string, string | number>[]) {
  const kind = sheet.kind as ImportKind
  const { data: batch, code, msg } = await client.upload(importApi.upload, csvOf(sheet, rows), { kind })
  if (code !== 200) throw new Error(`the sheet was refused: ${msg}`)
  const { records } = await client.send(importApi.preview, { kind, ibId: batch.ibId, ...all })
  return {
    ibId: batch.ibId,
    records,
    verdicts: records.map(({ verdict }) => verdict),
    faults: records.map(({ faults }) => faults.map(({ key, msg: text }) => `${key ?? ''}: ${text}`).join('|')),
    commit: (skipFaults = false) =>
      client.send(importApi.commit, { kind, ibId: batch.ibId, ...(skipFaults ? { skipFaults: yesNo.yes } : {}) }),
    undo: () => client.ask(importApi.undo, { kind, ibId: batch.ibId }),
  }
}
