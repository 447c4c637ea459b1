import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { deleteCategory, saveCategory, sortCategories } from './category.service.ts'
import { checkerOptions } from './checker-choice.service.ts'
import { coverageCell, coverageMap } from './coverage.service.ts'
import { acceptSamples, listSamples, removeSamples, saveSample } from './samples.service.ts'
import { tryCase } from './sandbox.service.ts'
import { keptCategory, keptFlow, keptSource } from './kept-forms.ts'
import { listVersions } from './versions.service.ts'
import { stopImpact } from './stop-impact.service.ts'
import { cloneFlow, deleteFlow, moveFlows, saveFlow, switchFlows } from './workflow-write.service.ts'
import { categoryRows } from './workflow.queries.ts'
import { flowForEdit, flowOccupied, flowToClone, listFlows, newFlow, validateFlow } from './workflow.service.ts'
import { exportFlows } from './list-exports.ts'

export const workflowRoutes = routes(
  workflowApi,
  {
    typeList: categoryRows,
    list: listFlows,
    exportList: exportFlows,
    saveType: saveCategory,
    deleteType: deleteCategory,
    sortTypes: sortCategories,
    addInit: newFlow,
    editInit: flowForEdit,
    cloneInit: flowToClone,
    save: saveFlow,
    addClone: cloneFlow,
    switchStatus: switchFlows,
    move: moveFlows,
    remove: deleteFlow,
    validate: validateFlow,
    choiceChecker: checkerOptions,
    occupied: flowOccupied,
    stopImpact,
    versions: listVersions,
  },
  { saveType: keptCategory, save: keptFlow, addClone: keptSource },
)

export const trialRoutes = routes(trialApi, {
  sandbox: tryCase,
  coverage: coverageMap,
  coverageCell,
  samples: listSamples,
  saveSample,
  acceptSamples,
  removeSamples,
})
