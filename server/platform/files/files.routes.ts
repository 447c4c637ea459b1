import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { tableApi } from '../../../contract/platform/files/table.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { uploadFile, viewFile } from './files.service.ts'
import { tableSheet } from './table-sheet.service.ts'

export const fileRoutes = [
  ...routes(fileApi, { upload: uploadFile, view: viewFile }),
  ...routes(tableApi, { sheet: tableSheet }),
]
