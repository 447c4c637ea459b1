import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { listHolidays, removeHolidays, saveHolidays } from './holidays.service.ts'
import { saveProfile, schoolProfile, schoolSeal } from './profile.service.ts'
import { saveSettings, settingsForEdit } from './settings.service.ts'
import { listTerms, removeTerms, saveTerm } from './terms.service.ts'

export const schoolInfoRoutes = routes(schoolInfoApi, {
  profile: schoolProfile,
  saveProfile,
  seal: schoolSeal,
  terms: listTerms,
  saveTerm,
  removeTerms,
  holidays: listHolidays,
  saveHolidays,
  removeHolidays,
  settings: settingsForEdit,
  saveSettings,
})
