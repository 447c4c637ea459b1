import { workflowApi } from '../../contract/workflow/workflow.calls.ts'
import { routes } from '../core/routes.ts'
import { deleteCategory, saveCategory } from './category.service.ts'
import { checkerOptions } from './checker-choice.service.ts'
import { cloneFlow, deleteFlow, moveFlows, saveFlow, switchFlows } from './workflow-write.service.ts'
import { categoryRows } from './workflow.queries.ts'
import { flowForEdit, flowOccupied, flowToClone, listFlows, newFlow, validateFlow } from './workflow.service.ts'
import { exportFlows } from './list-exports.ts'

export const workflowRoutes = routes(workflowApi, {
  typeList: categoryRows,
  list: listFlows,
  exportList: exportFlows,
  saveType: saveCategory,
  deleteType: deleteCategory,
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
})
