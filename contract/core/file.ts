import { z } from 'zod'
import { call, type Call, type Permit } from './call.ts'

/** Bytes as they come. Node's readable streams are such; the console, which knows no Node, reads contract too. */
export type ByteStream = AsyncIterable<string | Uint8Array>

/** A call that gives a file has no data; its answer is the file itself. */
export const fileOutput = z.custom<FileAnswer>()

/** What a handler of a file-giving call returns. The name is shown to the person; the body is streamed as it comes. */
export interface FileAnswer {
  name: string
  type: string
  body: ByteStream | Uint8Array
}

/** Asked for by its header `Accept`, every list leaves as comma-separated text and not as a workbook. */
export const csvType = 'text/csv'
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A reading call that gives a file, such as a list as a workbook. */
export const fileCall = <I extends z.ZodType, const P extends Permit>(
  method: 'GET' | 'POST',
  path: string,
  options: { summary: string; permit: P; input: I },
): Call<I, typeof fileOutput, P> => call(method, path, { ...options, writes: false, gives: 'file', output: fileOutput })
