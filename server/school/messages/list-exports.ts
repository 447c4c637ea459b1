import { code, count, moment, text } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { listInbox, listOutbox, listReaders } from './messages.queries.ts'

/** The caller's inbox as a workbook. */
export const exportInbox = pagedExport(
  '收件箱',
  [
    text('标题', 'iiTitle', 40),
    text('内容', 'iiContent', 60),
    code('类型', 'msg_type', 'iiType', 10),
    text('发送人', 'createName', 14),
    moment('发送时间', 'sendTime'),
    code('已读', 'yes_no', 'isRead', 8),
    moment('阅读时间', 'readTime'),
  ],
  listInbox,
)

/** What the caller sent as a workbook. */
export const exportOutbox = pagedExport(
  '发件箱',
  [
    text('标题', 'iiTitle', 40),
    text('内容', 'iiContent', 60),
    text('收件人', 'suName', 30),
    count('收件人数', 'receiverCount', 10),
    count('已读人数', 'readCount', 10),
    code('已撤回', 'yes_no', 'recalled', 8),
    moment('发送时间', 'sendTime'),
  ],
  listOutbox,
)

/** Who has read a message of the caller's, and who has not, as a workbook. */
export const exportReaders = pagedExport(
  '消息阅读情况',
  [
    text('姓名', 'suiName', 14),
    text('学工号', 'suiNumber', 16),
    text('学院', 'collegeName', 24),
    text('班级', 'className', 20),
    code('已读', 'yes_no', 'isRead', 8),
    moment('阅读时间', 'readTime'),
  ],
  listReaders,
)
