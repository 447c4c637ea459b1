import { z } from 'zod'
import { call } from '../../core/call.ts'
import { id, pick } from '../../core/fields.ts'
import { fileOutput } from '../../core/file.ts'

/** What may be uploaded. Limits in bytes; the types are told apart by content, never by name. */
export const fileKinds = {
  image: {
    limit: 10 * 1_048_576,
    limitText: '10 MB',
    allowed: ' JPG、PNG 或 WebP 图片',
    accept: '.jpg,.jpeg,.png,.webp',
  },
  document: {
    limit: 20 * 1_048_576,
    limitText: '20 MB',
    allowed: ' PDF、Word（docx）、Excel（xlsx）或 PowerPoint（pptx）文件',
    accept: '.pdf,.docx,.xlsx,.pptx',
  },
} as const

export type FileKind = keyof typeof fileKinds

/** A stored file as forms and details show it. */
export const storedFile = z.object({
  fileId: z.string(),
  fileName: z.string(),
  /** Bytes as stored, after an image was made anew. */
  size: z.number(),
  mime: z.string(),
  /** Answers the content to a request with the bearer token; not for `<img src>`. */
  url: z.string(),
})

export const fileApi = {
  upload: call('POST', '/file/upload', {
    summary: '上传文件',
    permit: 'signed-in',
    takes: 'upload',
    input: z.object({ kind: pick('文件种类', ['image', 'document']) }),
    output: storedFile,
  }),
  view: call('GET', '/file/view', {
    summary: '查看文件',
    permit: 'signed-in',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('文件') }),
    output: fileOutput,
  }),
}
