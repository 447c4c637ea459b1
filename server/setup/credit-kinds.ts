import type { CreditKinds } from '../programme/credits/recredit.service.ts'
import { lessonCredit } from '../programme/lessons/credit/lesson-credit.service.ts'
import { supplementCredit } from '../programme/supplements/supplement-credit.service.ts'

/** Every kind of record that gives credit: what is taken back of one leaves room for the others. */
export const creditKinds: CreditKinds = [lessonCredit, supplementCredit]
