import type { CreditKinds } from '../credits/recredit.service.ts'
import { lessonCredit } from '../lessons/credit/lesson-credit.service.ts'
import { supplementCredit } from '../supplements/supplement-credit.service.ts'

/** Every kind of record that gives credit: what is taken back of one leaves room for the others. */
export const creditKinds: CreditKinds = [lessonCredit, supplementCredit]
