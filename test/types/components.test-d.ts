import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import {
  createServer,
  defineMiddleware,
  defineMiddlewareFor,
  definePrompt,
  definePromptFor,
  defineResource,
  defineResourceFor,
  defineResourceTemplate,
  defineResourceTemplateFor,
  jsonSchema,
  PromptsManager,
  ResourcesManager,
} from '../../src/index.ts';
import type {
  AnyPromptDefinition,
  AnyResourceDefinition,
  OptionalVariable,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  TemplateVariable,
  ToolContext,
} from '../../src/index.ts';

const withDefault = z.object({ a: z.number().default(1), b: z.string().transform(Number) });

describe('the input of a prompt is inferred', () => {
  test('from a schema: after defaults and transforms', () => {
    definePrompt({
      name: 'p',
      inputSchema: withDefault,
      complete: { a: ['1'] },
      handler: ({ input, context }) => {
        expectTypeOf(input).toEqualTypeOf<{ a: number; b: number }>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
        return 'x';
      },
    });
    definePrompt({
      name: 'p',
      inputSchema: jsonSchema<{ x: number }>({ type: 'object' }),
      handler: ({ input }) => {
        expectTypeOf(input).toEqualTypeOf<{ x: number }>();
        return 'x';
      },
    });
  });

  test('from a list of arguments, without any annotation', () => {
    definePrompt({
      name: 'p',
      arguments: [{ name: 'file', required: true }, { name: 'tone' }, { name: 'size', required: false }],
      complete: { tone: ['a'], file: (value) => [value] },
      handler: ({ input }) => {
        expectTypeOf(input).toEqualTypeOf<{
          readonly file: string;
          readonly tone?: string;
          readonly size?: string;
        }>();
        return 'x';
      },
    });
  });

  test('where there are no arguments, it has no members', () => {
    definePrompt({
      name: 'p',
      handler: ({ input }) => {
        expectTypeOf<keyof typeof input>().toEqualTypeOf<never>();
        return 'x';
      },
    });
  });

  test('in a manager as well, with the context of the manager', () => {
    const prompts = new PromptsManager<{ db: Map<string, string> }>();
    prompts.addPrompt({
      name: 'p',
      arguments: [{ name: 'id', required: true }],
      complete: { id: (_, { context }) => [...context.db.keys()] },
      handler: ({ input, context }) => {
        expectTypeOf(input).toEqualTypeOf<{ readonly id: string }>();
        expectTypeOf(context.db).toEqualTypeOf<Map<string, string>>();
        return context.db.get(input.id) ?? '';
      },
    });
    prompts.addPrompt({
      name: 'q',
      inputSchema: withDefault,
      handler: ({ input, context }) => {
        expectTypeOf(input).toEqualTypeOf<{ a: number; b: number }>();
        return context.db.size.toString();
      },
    });
  });
});

test('wrong prompts are compile errors', () => {
  // @ts-expect-error neither handler nor template
  definePrompt({ name: 'p' });
  // @ts-expect-error both
  definePrompt({ name: 'p', template: '', handler: () => '' });
  // @ts-expect-error a prompt gives messages, not numbers
  definePrompt({ name: 'p', handler: () => 5 });
  // @ts-expect-error a message has a role
  definePrompt({ name: 'p', handler: () => ({ content: { type: 'text', text: '' } }) });
  // @ts-expect-error the arguments are described twice
  definePrompt({ name: 'p', arguments: [], inputSchema: withDefault, template: '' });
  // @ts-expect-error no argument is called so
  definePrompt({ name: 'p', arguments: [{ name: 'a' }], complete: { b: [] }, template: '' });
  // @ts-expect-error no member of the schema is called so
  definePrompt({ name: 'p', inputSchema: withDefault, complete: { c: [] }, template: '' });
  // @ts-expect-error no argument is called so
  definePrompt({ name: 'p', arguments: [{ name: 'a' }], handler: ({ input }) => input.b ?? '' });
  // @ts-expect-error an optional argument may be missing
  definePrompt({ name: 'p', arguments: [{ name: 'a' }], handler: ({ input }) => input.a });
  // @ts-expect-error a misspelt member
  definePrompt({ name: 'p', template: '', scope: ['admin'] });
  // @ts-expect-error a prompt gives messages, not numbers
  new PromptsManager().addPrompt({ name: 'p', handler: () => 5 });
  // @ts-expect-error the context has no such member
  new PromptsManager().addPrompt({ name: 'p', handler: ({ context }) => context.db });
});

test('messages of every form are accepted', () => {
  const block = { type: 'image', data: '', mimeType: 'image/png' } as const;
  definePrompt({ name: 'p', handler: () => ({ role: 'user', content: block }) });
  definePrompt({ name: 'p', handler: async () => [{ role: 'assistant', content: block }] });
  definePrompt({ name: 'p', handler: () => ({ description: 'x', messages: [] }) });
});

test('definitions of every kind fit into lists', () => {
  const own = definePrompt({ name: 'p', inputSchema: withDefault, handler: ({ input }) => `${input.a}` });
  const listed = definePrompt({
    name: 'q',
    arguments: [{ name: 'a' }],
    handler: ({ input }) => input.a ?? '',
  });
  const annotated: PromptDefinition = { name: 'r', arguments: [{ name: 'a' }], template: '{{a}}' };
  const prompts: AnyPromptDefinition<{ db: string }>[] = [own, listed, annotated];
  const createContext = (): { db: string } => ({ db: '' });
  const prepared = new PromptsManager<{ db: string }>({ prompts });
  createServer({ name: 's', version: '1', createContext, prompts: prepared });
  new PromptsManager<{ db: string }>().addPrompt(own).addPrompt(listed).addPrompt(annotated);

  const resource = defineResource({ uri: 'a://b', name: 'b', text: '' });
  const template = defineResourceTemplate({
    uriTemplate: 'a://{b}',
    name: 'b',
    contentProvider: ({ variables }) => variables.b,
  });
  const written: ResourceTemplateDefinition = {
    uriTemplate: 'a://{b}',
    name: 'b',
    contentProvider: ({ variables }) => variables['b'] ?? null,
  };
  const plain: ResourceDefinition = {
    uri: 'a://b',
    name: 'b',
    contentProvider: (): Promise<string | { blob: string }> => Promise.resolve({ blob: '' }),
  };
  const resources: AnyResourceDefinition<{ db: string }>[] = [resource, template, written, plain];
  const kept = new ResourcesManager<{ db: string }>({ resources });
  createServer({ name: 's', version: '1', createContext, resources: kept });
  new ResourcesManager<{ db: string }>().addResource(resource).addResource(template).addResource(plain);
});

test('the variables of a template are inferred from it', () => {
  expectTypeOf<TemplateVariable<'notes://{user}/{+path}'>>().toEqualTypeOf<'user' | 'path'>();
  expectTypeOf<TemplateVariable<string>>().toEqualTypeOf<string>();
  defineResourceTemplate({
    uriTemplate: 'notes://{user}/{+path}',
    name: 'note',
    complete: { user: ['ada'] },
    contentProvider: ({ uri, variables }) => {
      expectTypeOf(uri).toEqualTypeOf<string>();
      expectTypeOf(variables).toEqualTypeOf<Readonly<Record<'user' | 'path', string>>>();
      return { text: variables.user };
    },
  });
  new ResourcesManager<{ db: string }>().addResource({
    uriTemplate: 'notes://{id}',
    name: 'note',
    contentProvider: ({ variables, context }) => {
      expectTypeOf(variables).toEqualTypeOf<Readonly<Record<'id', string>>>();
      expectTypeOf(context.db).toEqualTypeOf<string>();
      return new Uint8Array();
    },
  });
});

test('the variables of a query may be missing', () => {
  expectTypeOf<TemplateVariable<'a://{x,y}{/z}{?q,page}'>>().toEqualTypeOf<'x' | 'y' | 'z' | 'q' | 'page'>();
  expectTypeOf<OptionalVariable<'a://{x}{?q,page}'>>().toEqualTypeOf<'q' | 'page'>();
  defineResourceTemplate({
    uriTemplate: 'a://{x}{?q,page}',
    name: 'b',
    complete: { q: ['one'] },
    contentProvider: ({ variables }) => {
      expectTypeOf(variables.x).toEqualTypeOf<string>();
      expectTypeOf(variables.q).toEqualTypeOf<string | undefined>();
      return variables.page ?? null;
    },
  });
});

test('members added by middleware are typed in handlers, providers and completers', () => {
  const withUser = defineMiddleware(({ next }) => next({ user: 'ada' }));
  definePrompt({
    name: 'p',
    arguments: [{ name: 'a', required: true }],
    middleware: [withUser],
    complete: { a: (_, { context }) => [context.user] },
    handler: ({ input, context }) => `${input.a} ${context.user.length}`,
  });
  definePrompt({
    name: 'p',
    inputSchema: withDefault,
    middleware: [withUser],
    handler: ({ context }) => context.user,
  });
  defineResource({
    uri: 'a://b',
    name: 'b',
    middleware: [withUser],
    contentProvider: ({ context }) => context.user,
  });
  defineResourceTemplate({
    uriTemplate: 'a://{b}',
    name: 'b',
    middleware: [withUser],
    complete: { b: (_, { context }) => [context.user] },
    contentProvider: ({ variables, context }) => variables.b + context.user,
  });
  new PromptsManager().use(withUser).addPrompt({ name: 'p', handler: ({ context }) => context.user });
  new ResourcesManager()
    .use(withUser)
    .addResource({ uri: 'a://b', name: 'b', contentProvider: ({ context }) => context.user });
  new ResourcesManager().addResource({
    uri: 'a://b',
    name: 'b',
    // @ts-expect-error nobody adds it
    contentProvider: ({ context }) => context.user,
  });
});

describe('definitions for a context of their own', () => {
  interface AppContext {
    readonly db: string[];
  }
  const withUser = defineMiddleware(({ next }) => next({ user: 'ada' }));
  const requireDb = defineMiddlewareFor<AppContext>()(({ next }) => next());
  const server = { name: 's', version: '1.0.0' };
  const createContext = (): AppContext & { more: number } => ({ db: ['a'], more: 1 });

  const listed = definePromptFor<AppContext>()({
    name: 'listed',
    arguments: [{ name: 'id', required: true }, { name: 'tone' }],
    middleware: [withUser, requireDb],
    complete: { id: (_, { context }) => [...context.db, context.user] },
    handler: ({ input, context }) => {
      expectTypeOf(input).toEqualTypeOf<{ readonly id: string; readonly tone?: string }>();
      expectTypeOf(context.db).toEqualTypeOf<string[]>();
      return context.user;
    },
  });
  const own = definePromptFor<AppContext>()({
    name: 'own',
    inputSchema: withDefault,
    handler: ({ input, context }) => {
      expectTypeOf(input).toEqualTypeOf<{ a: number; b: number }>();
      expectTypeOf(context.db).toEqualTypeOf<string[]>();
      return 'x';
    },
  });
  const resource = defineResourceFor<AppContext>()({
    uri: 'a://b',
    name: 'b',
    middleware: [withUser, requireDb],
    contentProvider: ({ context }) => {
      expectTypeOf(context.db).toEqualTypeOf<string[]>();
      return context.user;
    },
  });
  const template = defineResourceTemplateFor<AppContext>()({
    uriTemplate: 'a://{id}{?page}',
    name: 'b',
    middleware: [withUser, requireDb],
    complete: { id: (_, { context }) => [...context.db, context.user] },
    contentProvider: ({ variables, context }) => {
      expectTypeOf(variables.id).toEqualTypeOf<string>();
      expectTypeOf(variables.page).toEqualTypeOf<string | undefined>();
      expectTypeOf(context.db).toEqualTypeOf<string[]>();
      return context.user;
    },
  });

  test('are taken where this context is given', () => {
    new PromptsManager<AppContext>({ prompts: [listed, own] }).addPrompt(listed).addPrompt(own);
    new ResourcesManager<AppContext>({ resources: [resource, template] })
      .addResource(resource)
      .addResource(template);
    createServer({ ...server, createContext, prompts: [listed, own], resources: [resource, template] });
  });

  test('are refused where it is not given', () => {
    // @ts-expect-error this manager has no db
    new PromptsManager().addPrompt(listed);
    // @ts-expect-error this manager has no db
    new PromptsManager({ prompts: [own] });
    // @ts-expect-error this manager has no db
    new ResourcesManager().addResource(resource);
    // @ts-expect-error this manager has no db
    new ResourcesManager({ resources: [template] });
    // @ts-expect-error this server has no db
    createServer({ ...server, prompts: [listed] });
    // @ts-expect-error this server has no db
    createServer({ ...server, prompts: [own] });
    // @ts-expect-error this server has no db
    createServer({ ...server, resources: [resource] });
    // @ts-expect-error this server has no db
    createServer({ ...server, resources: [template] });
  });

  test('know no other members, and replace no standard ones', () => {
    // @ts-expect-error the context has no such member
    definePromptFor<AppContext>()({ name: 'p', handler: ({ context }) => context.nothing });
    defineResourceFor<AppContext>()({
      uri: 'a://b',
      name: 'b',
      // @ts-expect-error the context has no such member
      contentProvider: ({ context }) => context.nothing,
    });
    // @ts-expect-error name is a standard member
    definePromptFor<{ name: string }>();
    // @ts-expect-error signal is a standard member
    defineResourceFor<{ signal: string }>();
    // @ts-expect-error log is a standard member
    defineResourceTemplateFor<{ log: string }>();
  });
});

test('wrong resources are compile errors', () => {
  // @ts-expect-error no content
  defineResource({ uri: 'a://b', name: 'b' });
  // @ts-expect-error two contents
  defineResource({ uri: 'a://b', name: 'b', text: '', blob: '' });
  // @ts-expect-error no name
  defineResource({ uri: 'a://b', text: '' });
  // @ts-expect-error a resource gives text or bytes
  defineResource({ uri: 'a://b', name: 'b', contentProvider: () => 5 });
  // @ts-expect-error a template is made with defineResourceTemplate
  defineResource({ uriTemplate: 'a://{b}', name: 'b', contentProvider: () => '' });
  // @ts-expect-error either text or bytes
  defineResource({ uri: 'a://b', name: 'b', contentProvider: () => ({ text: '', blob: '' }) });
  defineResourceTemplate({
    uriTemplate: 'a://{b}',
    name: 'b',
    // @ts-expect-error the template has no such variable
    complete: { c: [] },
    contentProvider: () => '',
  });
  defineResourceTemplate({
    uriTemplate: 'a://{b}',
    name: 'b',
    // @ts-expect-error the template has no such variable
    contentProvider: ({ variables }) => variables.c,
  });
  // @ts-expect-error a template has no fixed text
  new ResourcesManager().addResource({ uriTemplate: 'a://{b}', name: 'b', text: '' });
});

describe('managers are mounted in managers of the same kind', () => {
  test('that need the same of a server', () => {
    const own = new PromptsManager({ createContext: () => ({ user: 'ada' }) });
    expectTypeOf(new PromptsManager<{ db: string }>().mount('a', own)).toEqualTypeOf<() => void>();
    // @ts-expect-error -- the server of this manager need not give a user
    new PromptsManager<{ db: string }>().mount('a', new PromptsManager<{ user: string }>());
    // @ts-expect-error -- the server of this manager need not give a user
    new ResourcesManager<{ db: string }>().mount('a', new ResourcesManager<{ user: string }>());
    new ResourcesManager<{ db: string }>().mount('a', new ResourcesManager(), { separator: '.' });
    // @ts-expect-error -- another kind
    new PromptsManager().mount('a', new ResourcesManager());
    // @ts-expect-error -- another kind
    new ResourcesManager().mount('a', new PromptsManager());
  });
});
