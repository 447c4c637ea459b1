import { Form, Input, Segmented } from 'antd'
import { useState } from 'react'
import { leaverRule, sourceFormat, sourceKind, sourceWay } from '../../../contract/core/codes/school.ts'
import { sourceApi, type SourceRow } from '../../../contract/school/sources/sources.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { DictionaryField, NumberField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { RowEditor } from '../../core/parts/row-editor.tsx'

/** A source's settings; which of its places are asked depends on the way. */
export function SourceDialog({ source, onClose }: { source: Partial<SourceRow>; onClose: () => void }) {
  return (
    <DialogForm
      call={sourceApi.save}
      title={source.isId ? '编辑数据来源' : '新增数据来源'}
      width={720}
      initial={source.isId ? source : { isWay: sourceWay.folder, isKind: sourceKind.student, runAt: '03:00' }}
      doneText="保存成功，可先点“测试”核对"
      onClose={onClose}
    >
      <TextField name="isName" span={12} placeholder="例如：教务系统学籍" />
      <DictionaryField name="isKind" type="source_kind" span={6} />
      <DictionaryField name="isWay" type="source_way" span={6} />
      <PlaceFields hasSecret={source.hasSecret === true} />
      <TextField name="runAt" span={6} placeholder="03:00" help="留空则只手动同步" />
      <NumberField name="changeLimit" span={6} unit="%" help="改动或错误超过时停下待确认" />
      <LeaverFields />
      <SwitchField name="isEnabled" label="按计划自动同步" />
    </DialogForm>
  )
}

function PlaceFields({ hasSecret }: { hasSecret: boolean }) {
  const way = Form.useWatch<string | undefined>('isWay')
  const format = Form.useWatch<string | undefined>('format')
  if (way === sourceWay.folder)
    return (
      <TextField
        name="fileName"
        placeholder="students-*.csv"
        required
        help="学校数据文件夹中的文件名，* 代表任意字符，取最新的一份；列名与导入模板一致"
      />
    )
  if (way === sourceWay.sftp) return <SftpFields hasSecret={hasSecret} />
  const secret = (
    <Field
      name="secret"
      label={way === sourceWay.database ? '口令' : way === sourceWay.scim ? '访问令牌' : 'Authorization 请求头'}
      span={12}
      help={hasSecret ? '已设置，不再显示；留空则不变' : '加密保存，保存后不再显示'}
    >
      <Input.Password autoComplete="new-password" placeholder={hasSecret ? '已设置' : '没有则留空'} />
    </Field>
  )
  if (way === sourceWay.scim)
    return (
      <>
        <TextField
          name="address"
          placeholder="https://id.example.edu.cn/scim/v2"
          required
          help="服务的根地址；人员取 /Users，组织取 /Groups"
        />
        {secret}
        <TextField
          name="scimFilter"
          span={12}
          placeholder={'userType eq "student"'}
          help="不填则取全部；停用的人不取"
        />
        <ColumnsField help={scimColumnsHelp} />
      </>
    )
  if (way === sourceWay.http)
    return (
      <>
        <TextField name="address" placeholder="https://jw.example.edu.cn/api/students" required />
        <DictionaryField name="format" type="source_format" span={12} />
        {secret}
        {format === sourceFormat.json && (
          <>
            <TextField name="jsonPath" placeholder="data.records" help="答复本身就是一组记录时留空" />
            <ColumnsField />
          </>
        )}
      </>
    )
  return (
    <>
      <TextField
        name="address"
        placeholder="postgres://dekt@10.1.2.3:5432/dw"
        required
        help="只读账号即可，口令填在下面"
      />
      <TextField name="viewName" span={12} placeholder="dw.v_students" required />
      {secret}
      <ColumnsField />
    </>
  )
}

const secretKinds = { password: '口令', key: '私钥' }

/** Where files lie on a server that is reached by SFTP, and by what one signs in there. */
function SftpFields({ hasSecret }: { hasSecret: boolean }) {
  const [kind, setKind] = useState<keyof typeof secretKinds>('password')
  const placeholder = hasSecret ? '已设置' : ''
  return (
    <>
      <TextField
        name="address"
        placeholder="sftp://dekt@10.1.2.3:22/export"
        required
        help="保存后点“测试”，核对并信任服务器的主机密钥"
      />
      <TextField
        name="fileName"
        span={12}
        placeholder="students-*.csv"
        required
        help="* 代表任意字符，取最新的一份；列名与导入模板一致"
      />
      <Form.Item className="field span-12" label="登录方式">
        <Segmented
          value={kind}
          options={Object.entries(secretKinds).map(([value, label]) => ({ value, label }))}
          onChange={(value) => setKind(value as keyof typeof secretKinds)}
        />
      </Form.Item>
      <Field
        name="secret"
        label={secretKinds[kind]}
        help={hasSecret ? '已设置，不再显示；留空则不变' : '加密保存，保存后不再显示'}
      >
        {kind === 'password' ? (
          <Input.Password autoComplete="new-password" placeholder={placeholder} />
        ) : (
          <Input.TextArea
            rows={4}
            placeholder={placeholder || '-----BEGIN OPENSSH PRIVATE KEY-----'}
            spellCheck={false}
          />
        )}
      </Field>
    </>
  )
}

type ColumnPair = { from: string; to: string }

const columnsHelp = '来源字段与导入模板列名相同时不必填写；填写后只取这些字段'
const scimColumnsHelp =
  '例如 userName → 学号，name.formatted → 姓名，urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:division → 学院'

const ColumnsField = ({ help = columnsHelp }: { help?: string }) => (
  <Field name="columns" label="列的对应" help={help}>
    <RowEditor<ColumnPair>
      columns={[
        {
          title: '来源字段',
          cell: (row, set) => (
            <Input
              value={row.from}
              aria-label="来源字段"
              maxLength={120}
              onChange={(e) => set({ from: e.target.value })}
            />
          ),
        },
        {
          title: '模板列名',
          cell: (row, set) => (
            <Input value={row.to} aria-label="模板列名" maxLength={60} onChange={(e) => set({ to: e.target.value })} />
          ),
        },
      ]}
      blank={() => ({ from: '', to: '' })}
      addText="添加一列"
      max={60}
      empty="按来源字段名匹配"
    />
  </Field>
)

function LeaverFields() {
  const kind = Form.useWatch<string | undefined>('isKind')
  const rule = Form.useWatch<string | undefined>('leaverRule')
  if (kind !== sourceKind.student) return null
  return (
    <>
      <DictionaryField name="leaverRule" type="leaver_rule" span={12} help="只看在读学生；撤销同步时恢复原状态" />
      {rule !== leaverRule.tell && <NumberField name="leaverLimit" span={6} unit="%" help="超过时停下待确认" />}
    </>
  )
}
