import { fileApi } from '../../contract/files/files.calls.ts'
import { tableApi } from '../../contract/files/table.calls.ts'
import { routes } from '../core/routes.ts'
import { uploadFile, viewFile } from './files.service.ts'
import { tableSheet } from './table-sheet.service.ts'

export const fileRoutes = [
  ...routes(fileApi, { upload: uploadFile, view: viewFile }),
  ...routes(tableApi, { sheet: tableSheet }),
]
