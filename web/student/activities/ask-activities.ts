import { ownActivityApi } from '../../../contract/student/activities.calls.ts'
import { ask, askPages } from '../parts/ask-ahead.ts'
import { listInput } from './activity-filters.ts'

/** Asks for the list that an address means. */
export function askActivities({ request }: { request: Request }): null {
  askPages(ownActivityApi.list, listInput(new URL(request.url).searchParams) as never)
  return null
}

/** Asks for the activity that an address means. */
export function askActivity({ params }: { params: { liId?: string | undefined } }): null {
  ask(ownActivityApi.detail, { liId: params.liId ?? '' })
  return null
}
