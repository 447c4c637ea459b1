import { provinceApi } from '../../../contract/outcomes/province/province.calls.ts'
import { routes } from '../../core/request/routes.ts'
import {
  exportProvince,
  ownProvinceFigures,
  provinceInfo,
  provinceOptions,
  provinceSchools,
} from './province.service.ts'

export const provinceRoutes = routes(provinceApi, {
  info: provinceInfo,
  schools: provinceSchools,
  exportSchools: exportProvince,
  options: provinceOptions,
  own: ownProvinceFigures,
})
