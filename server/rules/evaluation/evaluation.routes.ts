import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { routes } from '../../core/request/routes.ts'
import { abilityOptions, qualityGroups } from '../labels/labels.service.ts'
import { addEvaluations, deleteEvaluations, editEvaluation } from './evaluation-write.service.ts'
import { levelsWithUses, saveLevels } from './levels.service.ts'
import { classesWithLevels, evaluationForEdit, levelsFor, listEvaluations } from './evaluation.service.ts'
import { exportEvaluations } from './list-exports.ts'

export const evaluationRoutes = routes(
  evaluationApi,
  {
    all: listEvaluations,
    exportList: exportEvaluations,
    query: evaluationForEdit,
    add: addEvaluations,
    edit: editEvaluation,
    remove: deleteEvaluations,
    selectClass: classesWithLevels,
    selectAbility: abilityOptions,
    quality: qualityGroups,
    lessonLevel: levelsFor,
    levels: levelsWithUses,
    saveLevels,
  },
  { edit: keptBy('esId', (ctx, esId) => evaluationForEdit(ctx, { esId })) },
)
