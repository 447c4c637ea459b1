import { z } from 'zod'
import { fileCall } from '../../core/file.ts'
import { pick } from '../../core/fields.ts'

/** What belongs to the person who asks. */
export const personalApi = {
  /**
   * Everything the service holds about the caller themselves: for programs (`json`) or to be read and printed (`html`).
   */
  myData: fileCall('GET', '/sysUser/myData', {
    summary: '下载我的数据',
    permit: 'signed-in',
    needsFreshCode: true,
    input: z.object({ format: pick('格式', ['json', 'html']).default('html') }),
  }),
}
