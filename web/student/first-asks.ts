import type { Params } from 'react-router'
import { askActivities, askActivity } from './activities/ask-activities.ts'

/**
 * What pages ask for first, by their paths in `own-pages.tsx`: asked while the page itself is still being fetched, by
 * the first file (`open.ts`) and by the router.
 */
export const firstAsks: Readonly<Record<string, (of: { request: Request; params: Params }) => null>> = {
  activities: askActivities,
  'activities/:liId': askActivity,
}
