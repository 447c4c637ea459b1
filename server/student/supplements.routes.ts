import { ownSupplementApi } from '../../contract/student/supplements.calls.ts'
import { routes } from '../core/request/routes.ts'
import type { CreditKinds } from '../programme/credits/recredit.service.ts'
import {
  listOwnSupplements,
  ownDupHints,
  ownSupplementDetail,
  ownSupplementProof,
  previewOwnSupplement,
  removeOwnSupplement,
  saveOwnSupplement,
  supplementPlaces,
  withdrawOwnSupplement,
} from './supplements.service.ts'

/**
 * The supplement records of the student who asks.
 * @param kinds what gives credit, for what is deleted
 */
export const ownSupplementRoutes = (kinds: CreditKinds) =>
  routes(ownSupplementApi, {
    list: listOwnSupplements,
    detail: ownSupplementDetail,
    save: saveOwnSupplement,
    places: supplementPlaces,
    dupHints: ownDupHints,
    preview: previewOwnSupplement,
    withdraw: withdrawOwnSupplement,
    remove: (ctx, input) => removeOwnSupplement(ctx, kinds, input),
    proof: ownSupplementProof,
  })
