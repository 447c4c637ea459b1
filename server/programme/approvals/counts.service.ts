export { openTasks } from './approvals.queries.ts'
