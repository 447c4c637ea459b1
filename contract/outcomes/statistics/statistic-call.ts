import type { z } from 'zod'
import { call, type Call, type Permit } from '../../core/call.ts'

interface Options<I extends z.ZodType, O extends z.ZodType> {
  summary: string
  input: I
  output: O
}

/** Makes the calls of one statistic: all of them read, cost what a statistic costs, and need its right. */
export const statisticCalls =
  <const P extends Permit>(permit: P) =>
  <I extends z.ZodType, O extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    options: Options<I, O>,
  ): Call<I, O, P> =>
    call(method, path, { ...options, permit, cost: 'statistic', writes: false })
