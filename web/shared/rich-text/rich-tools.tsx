import AlignCenterOutlined from '@ant-design/icons/AlignCenterOutlined'
import AlignLeftOutlined from '@ant-design/icons/AlignLeftOutlined'
import AlignRightOutlined from '@ant-design/icons/AlignRightOutlined'
import BoldOutlined from '@ant-design/icons/BoldOutlined'
import ClearOutlined from '@ant-design/icons/ClearOutlined'
import DeleteColumnOutlined from '@ant-design/icons/DeleteColumnOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import DeleteRowOutlined from '@ant-design/icons/DeleteRowOutlined'
import InsertRowBelowOutlined from '@ant-design/icons/InsertRowBelowOutlined'
import InsertRowRightOutlined from '@ant-design/icons/InsertRowRightOutlined'
import ItalicOutlined from '@ant-design/icons/ItalicOutlined'
import LineOutlined from '@ant-design/icons/LineOutlined'
import MergeCellsOutlined from '@ant-design/icons/MergeCellsOutlined'
import OrderedListOutlined from '@ant-design/icons/OrderedListOutlined'
import RedoOutlined from '@ant-design/icons/RedoOutlined'
import SplitCellsOutlined from '@ant-design/icons/SplitCellsOutlined'
import StrikethroughOutlined from '@ant-design/icons/StrikethroughOutlined'
import TableOutlined from '@ant-design/icons/TableOutlined'
import UnderlineOutlined from '@ant-design/icons/UnderlineOutlined'
import UndoOutlined from '@ant-design/icons/UndoOutlined'
import UnorderedListOutlined from '@ant-design/icons/UnorderedListOutlined'
import type { ChainedCommands, Editor } from '@tiptap/core'
import type { ReactNode } from 'react'
import { alignments } from '../../../contract/core/rich-text.ts'

/**
 * A button of the toolbar: its words, what it does, and whether it holds at the cursor (for those that switch
 * something).
 */
export interface RichTool {
  words: string
  keys?: string
  icon: ReactNode
  run: (chain: ChainedCommands) => ChainedCommands
  isOn?: (editor: Editor) => boolean
}

const mark = (name: string, words: string, key: string, icon: ReactNode): RichTool => ({
  words,
  keys: `Ctrl+${key}`,
  icon,
  run: (chain) => chain.toggleMark(name),
  isOn: (editor) => editor.isActive(name),
})
const align = (side: string, words: string, icon: ReactNode): RichTool => ({
  words,
  icon,
  run: (chain) => chain.setTextAlign(side),
  isOn: (editor) => editor.isActive({ textAlign: side }),
})
const [center, right] = [
  align('center', '居中', <AlignCenterOutlined />),
  align('right', '右对齐', <AlignRightOutlined />),
]

export const richTools: readonly (readonly RichTool[])[] = [
  [
    mark('bold', '加粗', 'B', <BoldOutlined />),
    mark('italic', '斜体', 'I', <ItalicOutlined />),
    mark('underline', '下划线', 'U', <UnderlineOutlined />),
    mark('strike', '删除线', 'Shift+S', <StrikethroughOutlined />),
  ],
  [
    {
      words: '项目列表',
      icon: <UnorderedListOutlined />,
      run: (chain) => chain.toggleBulletList(),
      isOn: (editor) => editor.isActive('bulletList'),
    },
    {
      words: '编号列表',
      icon: <OrderedListOutlined />,
      run: (chain) => chain.toggleOrderedList(),
      isOn: (editor) => editor.isActive('orderedList'),
    },
  ],
  // to the left is how text stands of itself, so that nothing is written for it
  [
    {
      words: '左对齐',
      icon: <AlignLeftOutlined />,
      run: (chain) => chain.unsetTextAlign(),
      isOn: (editor) => !alignments.some((textAlign) => editor.isActive({ textAlign })),
    },
    center,
    right,
  ],
  [
    {
      words: '插入表格',
      icon: <TableOutlined />,
      run: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
    },
    { words: '分隔线', icon: <LineOutlined />, run: (chain) => chain.setHorizontalRule() },
    { words: '清除格式', icon: <ClearOutlined />, run: (chain) => chain.unsetAllMarks().clearNodes().unsetTextAlign() },
  ],
  [
    { words: '撤销', keys: 'Ctrl+Z', icon: <UndoOutlined />, run: (chain) => chain.undo() },
    { words: '重做', keys: 'Ctrl+Y', icon: <RedoOutlined />, run: (chain) => chain.redo() },
  ],
]

/** What can be done to the table in which the cursor stands. */
export const tableTools: readonly RichTool[] = [
  { words: '下方插入行', icon: <InsertRowBelowOutlined />, run: (chain) => chain.addRowAfter() },
  { words: '右侧插入列', icon: <InsertRowRightOutlined />, run: (chain) => chain.addColumnAfter() },
  { words: '删除行', icon: <DeleteRowOutlined />, run: (chain) => chain.deleteRow() },
  { words: '删除列', icon: <DeleteColumnOutlined />, run: (chain) => chain.deleteColumn() },
  { words: '合并单元格', icon: <MergeCellsOutlined />, run: (chain) => chain.mergeCells() },
  { words: '拆分单元格', icon: <SplitCellsOutlined />, run: (chain) => chain.splitCell() },
  { words: '删除表格', icon: <DeleteOutlined />, run: (chain) => chain.deleteTable() },
]

/** Paragraph styles by their name in the toolbar. */
export const richStyles: readonly {
  value: string
  words: string
  isOn: (editor: Editor) => boolean
  run: (chain: ChainedCommands) => ChainedCommands
}[] = [
  ...(
    [
      [2, '大标题'],
      [3, '中标题'],
      [4, '小标题'],
    ] as const
  ).map(([level, words]) => ({
    value: `h${level}`,
    words,
    isOn: (editor: Editor) => editor.isActive('heading', { level }),
    run: (chain: ChainedCommands) => chain.setHeading({ level }),
  })),
  {
    value: 'quote',
    words: '引用',
    isOn: (editor) => editor.isActive('blockquote'),
    run: (chain) => chain.clearNodes().setBlockquote(),
  },
  { value: 'p', words: '正文', isOn: () => true, run: (chain) => chain.clearNodes() },
]
