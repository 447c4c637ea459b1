import { fileApi } from '../../contract/files/files.calls.ts'
import { routes } from '../core/routes.ts'
import { uploadFile, viewFile } from './files.service.ts'

export const fileRoutes = routes(fileApi, { upload: uploadFile, view: viewFile })
