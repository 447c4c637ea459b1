import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { routes } from '../../core/request/routes.ts'
import {
  adoptLabels,
  deleteLabels,
  enableLabels,
  labelForEdit,
  labelUses,
  lessonLabels,
  listLabels,
  moveLabel,
  platformCatalogue,
  saveLabel,
} from './labels.service.ts'
import { exportLabels } from './list-exports.ts'

export const labelRoutes = routes(
  labelApi,
  {
    all: listLabels,
    exportList: exportLabels,
    platform: platformCatalogue,
    adopt: adoptLabels,
    edit: saveLabel,
    move: moveLabel,
    enable: enableLabels,
    uses: labelUses,
    delIds: (ctx, { sqlId }) => deleteLabels(ctx, sqlId),
    del: (ctx, { sqlId }) => deleteLabels(ctx, sqlId),
    lessonLabel: lessonLabels,
  },
  { edit: keptBy('sqlId', labelForEdit) },
)
