import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { personErasureApi } from '../../../contract/outcomes/graduation/person-erasure.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { erasuresToCome, holdGraduates } from './erasure-holds.service.ts'
import { graduate } from './graduate-in-two-steps.service.ts'
import { exportGraduationRows, graduationBatches, graduationRows } from './graduation.queries.ts'
import { erasePerson, personErasures, previewPersonErasure } from './person-erasure.service.ts'
import { previewGraduation } from './preview.service.ts'
import { undoGraduation } from './undo.service.ts'

export const graduationRoutes = routes(graduationApi, {
  preview: previewGraduation,
  rows: graduationRows,
  exportRows: exportGraduationRows,
  graduate,
  batches: graduationBatches,
  undo: undoGraduation,
  erasures: erasuresToCome,
  hold: holdGraduates,
})

export const personErasureRoutes = routes(personErasureApi, {
  preview: previewPersonErasure,
  erase: erasePerson,
  list: personErasures,
})
