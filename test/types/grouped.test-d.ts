import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import {
  answer,
  combineMiddleware,
  createTool,
  createServer,
  defineActionGroup,
  defineActionGroupFor,
  defineGroupedTool,
  defineGroupedToolFor,
} from '../../src/index.ts';
import { defineMiddleware, defineMiddlewareFor, defineTool, error, ToolRegistry } from '../../src/index.ts';

interface User {
  readonly name: string;
  readonly isAdmin: boolean;
}

const user: User = { name: 'Ada', isAdmin: true };
const withUser = defineMiddleware(async ({ next }) => next({ user }));
const withTrace = defineMiddleware(({ next }) => next({ trace: 'abc' }));
const requireAdmin = defineMiddlewareFor<{ user: User }>()(({ context, next }) =>
  context.user.isAdmin ? next() : answer(error('no')),
);

const adminOnly = combineMiddleware(withUser, requireAdmin);

describe('a middleware', () => {
  test('that forgets to return is no middleware', () => {
    // @ts-expect-error nothing is returned
    defineMiddleware(async ({ next }) => {
      await next();
    });
    // @ts-expect-error a bare value is not what next() gave
    defineMiddleware(() => 'value');
  });

  test('may answer by itself, and adds what it adds all the same', () => {
    const sometimes = defineMiddleware(async ({ next }) => (user.isAdmin ? next({ user }) : answer(1)));
    createTool('t')
      .use(sometimes)
      .action({ name: 'a', handler: ({ context }) => expectTypeOf(context.user).toEqualTypeOf<User>() });
  });

  test('adds only what it adds on every way', () => {
    const maybe = defineMiddleware(async ({ next }) => (user.isAdmin ? next({ user }) : next()));
    createTool('t')
      .use(maybe)
      .action({
        name: 'a',
        // @ts-expect-error on the other way there is no user
        handler: ({ context }) => context.user,
      });
  });
});

describe('a grouped tool', () => {
  test('gives each handler common and own fields, and the context its middleware has added', () => {
    createTool('platform')
      .commonSchema(z.object({ workspace: z.string(), page: z.number().default(1) }))
      .use(withUser)
      .group('users', 'Users', (users) =>
        users
          .use(withTrace)
          .commonSchema(z.object({ team: z.string() }))
          .action({
            name: 'create',
            schema: z.object({ email: z.string() }),
            outputSchema: z.object({ id: z.number() }),
            handler: ({ input, context }) => {
              expectTypeOf(input.workspace).toEqualTypeOf<string>();
              expectTypeOf(input.page).toEqualTypeOf<number>();
              expectTypeOf(input.team).toEqualTypeOf<string>();
              expectTypeOf(input.email).toEqualTypeOf<string>();
              expectTypeOf(context.user).toEqualTypeOf<User>();
              expectTypeOf(context.trace).toEqualTypeOf<string>();
              return { id: 1 };
            },
          }),
      );
  });

  test('without a schema an action sees the common fields only', () => {
    createTool('t')
      .commonSchema(z.object({ a: z.string() }))
      .action({ name: 'x', handler: ({ input }) => expectTypeOf(input.a).toEqualTypeOf<string>() })
      .action({
        name: 'y',
        // @ts-expect-error nobody declared b
        handler: ({ input }) => input.b,
      });
  });

  test('leaves out common fields that an action does not take', () => {
    createTool('t')
      .commonSchema(z.object({ a: z.string(), b: z.number() }))
      .action({
        name: 'x',
        omitCommonFields: ['a'],
        handler: ({ input }) => expectTypeOf(input.b).toEqualTypeOf<number>(),
      })
      .action({
        name: 'y',
        omitCommonFields: ['a'],
        // @ts-expect-error a is left out
        handler: ({ input }) => input.a,
      })
      .action({
        name: 'z',
        // @ts-expect-error c is no common field
        omitCommonFields: ['c'],
        handler: () => 1,
      });
  });

  test('lets an own field replace a common one', () => {
    createTool('t')
      .commonSchema(z.object({ id: z.string() }))
      .action({
        name: 'x',
        schema: z.object({ id: z.number() }),
        handler: ({ input }) => expectTypeOf(input.id).toEqualTypeOf<number>(),
      });
  });

  test('gives a preview and a resolver what they need', () => {
    createTool('t')
      .commonSchema(z.object({ workspace: z.string() }))
      .use(withUser)
      .action({
        name: 'x',
        confirm: 'preview',
        schema: z.object({ id: z.number() }),
        middleware: [withTrace],
        resolvedArguments: ['id'],
        defaultArgumentResolver: ({ context }) => {
          expectTypeOf(context.user).toEqualTypeOf<User>();
          return { id: 1 };
        },
        preview: ({ input, context }) => {
          expectTypeOf(input.workspace).toEqualTypeOf<string>();
          expectTypeOf(input.id).toEqualTypeOf<number>();
          expectTypeOf(context.trace).toEqualTypeOf<string>();
        },
        handler: () => 1,
      })
      .action({
        name: 'y',
        schema: z.object({ id: z.number() }),
        // @ts-expect-error id is a number
        defaultArgumentResolver: () => ({ id: 'one' }),
        handler: () => 1,
      });
  });

  test('is executed with the context it was made for, whatever its middleware adds', () => {
    const tool = createTool<{ db: string }>('t')
      .use(withUser)
      .action({ name: 'x', handler: () => 1 });
    void (() => tool.execute({ db: 'main' }, { action: 'x' }));
    // @ts-expect-error there is no db
    void (() => tool.execute({}, { action: 'x' }));
  });

  test('keeps what one group adds from the next', () => {
    createTool('t')
      .group('a', (group) => group.use(withUser).action({ name: 'x', handler: () => 1 }))
      .group('b', (group) =>
        group.action({
          name: 'x',
          // @ts-expect-error the user belongs to the other group
          handler: ({ context }) => context.user,
        }),
      );
  });

  test('holds a handler to its output schema', () => {
    createTool('t').action({
      name: 'x',
      outputSchema: z.object({ id: z.number() }),
      // @ts-expect-error id is a number
      handler: () => ({ id: 'one' }),
    });
  });

  test('takes middleware in a list, and what it adds is seen', () => {
    createTool('t').action({
      name: 'x',
      middleware: [withUser, withTrace],
      handler: ({ context }) => {
        expectTypeOf(context.user).toEqualTypeOf<User>();
        expectTypeOf(context.trace).toEqualTypeOf<string>();
      },
    });
    createTool('t').action({
      name: 'x',
      middleware: [adminOnly],
      handler: ({ context }) => expectTypeOf(context.user).toEqualTypeOf<User>(),
    });
  });

  test('infers middleware that is written in the list', () => {
    createTool('t').action({ name: 'x', middleware: [({ next }) => next()], handler: () => 1 });
    createTool('t').action({
      name: 'x',
      middleware: [withUser, ({ next }) => next({ a: 1 })],
      handler: ({ context }) => {
        expectTypeOf(context.a).toEqualTypeOf<number>();
        expectTypeOf(context.user).toEqualTypeOf<User>();
      },
    });
    createTool('t').action({
      name: 'x',
      middleware: [
        // @ts-expect-error nothing is returned
        async ({ next }) => {
          await next();
        },
      ],
      handler: () => 1,
    });
    new ToolRegistry().register({
      name: 'x',
      description: 'X',
      inputSchema: z.object({}),
      middleware: [({ next }) => next({ a: 1 })],
      handler: ({ context }) => expectTypeOf(context.a).toEqualTypeOf<number>(),
    });
  });

  test('refuses middleware that needs what nothing gives', () => {
    // @ts-expect-error no user
    createTool('t').use(requireAdmin);
    createTool('t').use(withUser).use(requireAdmin);
    // @ts-expect-error no user
    createTool('t').action({ name: 'x', middleware: [requireAdmin], handler: () => 1 });
  });

  test('is refused by a registry that cannot give its context', () => {
    const tool = createTool<{ db: string }>('t').action({
      name: 'x',
      handler: ({ context }) => expectTypeOf(context.db).toEqualTypeOf<string>(),
    });
    new ToolRegistry<{ db: string }>().register(tool);
    // @ts-expect-error this registry has no db
    new ToolRegistry().register(tool);
    new ToolRegistry().register(
      createTool('t')
        .use(withUser)
        .action({ name: 'x', handler: () => 1 }),
    );
  });
});

describe('the object form', () => {
  test('infers like the chain', () => {
    defineGroupedTool({
      name: 'projects',
      commonSchema: z.object({ workspace: z.string() }),
      actions: {
        list: {
          readOnly: true,
          handler: ({ input }) => expectTypeOf(input.workspace).toEqualTypeOf<string>(),
        },
        create: {
          schema: z.object({ title: z.string() }),
          outputSchema: z.object({ id: z.number() }),
          handler: ({ input }) => {
            expectTypeOf(input.title).toEqualTypeOf<string>();
            return { id: 1 };
          },
        },
        // @ts-expect-error id is a number
        wrong: { outputSchema: z.object({ id: z.number() }), handler: () => ({ id: 'one' }) },
        // @ts-expect-error nobody declared nothing
        worse: { handler: ({ input }) => input.nothing },
      },
    });
  });

  test('infers in groups', () => {
    const users = defineActionGroup({
      description: 'Users',
      commonSchema: z.object({ team: z.string() }),
      actions: {
        ban: {
          schema: z.object({ id: z.string() }),
          handler: ({ input }) => expectTypeOf([input.team, input.id]).toEqualTypeOf<string[]>(),
        },
      },
    });
    new ToolRegistry().register(defineGroupedTool({ name: 'platform', groups: { users } }));
  });
});

describe('middleware in the object form', () => {
  test('adds to the context of the handlers', () => {
    const groups = {
      me: defineActionGroup({
        middleware: [withUser, withTrace],
        actions: {
          name: {
            schema: z.object({ short: z.boolean() }),
            handler: ({ input, context }) => {
              expectTypeOf(input.short).toEqualTypeOf<boolean>();
              expectTypeOf(context.user).toEqualTypeOf<User>();
              expectTypeOf(context.trace).toEqualTypeOf<string>();
            },
          },
        },
      }),
    };
    new ToolRegistry().register(defineGroupedTool({ name: 'platform', groups }));
    defineGroupedTool({
      name: 'flat',
      middleware: [withUser],
      actions: { name: { handler: ({ context }) => expectTypeOf(context.user).toEqualTypeOf<User>() } },
    });
  });
});

describe('the object form for a context of its own', () => {
  interface AppContext {
    readonly db: string[];
  }
  const requireDb = defineMiddlewareFor<AppContext>()(({ next }) => next());
  const server = { name: 's', version: '1.0.0' };

  const notes = defineGroupedToolFor<AppContext>()({
    name: 'notes',
    commonSchema: z.object({ book: z.string() }),
    middleware: [withUser, requireDb],
    actions: {
      add: {
        schema: z.object({ n: z.number() }),
        outputSchema: z.object({ id: z.number() }),
        handler: ({ input, context }) => {
          expectTypeOf(input.book).toEqualTypeOf<string>();
          expectTypeOf(input.n).toEqualTypeOf<number>();
          expectTypeOf(context.db).toEqualTypeOf<string[]>();
          expectTypeOf(context.user).toEqualTypeOf<User>();
          return { id: 1 };
        },
      },
      // @ts-expect-error id is a number
      wrong: { outputSchema: z.object({ id: z.number() }), handler: () => ({ id: 'one' }) },
      // @ts-expect-error the context has no such member
      worse: { handler: ({ context }) => context.nothing },
    },
  });
  const users = defineActionGroupFor<AppContext>()({
    middleware: [withTrace, requireDb],
    actions: {
      find: {
        schema: z.object({ id: z.string() }),
        handler: ({ input, context }) => {
          expectTypeOf(input.id).toEqualTypeOf<string>();
          expectTypeOf(context.db).toEqualTypeOf<string[]>();
          expectTypeOf(context.trace).toEqualTypeOf<string>();
        },
      },
    },
  });
  const plain = defineActionGroup({ actions: { ping: { handler: () => 'pong' } } });
  const platform = defineGroupedToolFor<AppContext>()({ name: 'platform', groups: { users, plain } });

  test('is taken where this context is given, and nowhere else', () => {
    new ToolRegistry<AppContext>().registerAll([notes, platform]);
    createServer({ ...server, createContext: () => ({ db: ['a'], more: 1 }), tools: [notes, platform] });
    // @ts-expect-error this registry has no db
    new ToolRegistry().register(notes);
    // @ts-expect-error this server has no db
    createServer({ ...server, tools: [platform] });
    // @ts-expect-error this tool has no db
    defineGroupedTool<unknown>({ name: 'platform', groups: { users } });
    void (() => notes.execute({ db: [] }, { action: 'add' }));
    // @ts-expect-error there is no db
    void (() => notes.execute({}, { action: 'add' }));
  });

  test('refuses the names of standard members', () => {
    // @ts-expect-error name is a standard member
    defineGroupedToolFor<{ name: string }>();
    // @ts-expect-error signal is a standard member
    defineActionGroupFor<{ signal: string }>();
  });
});

describe('single tools and registries', () => {
  test('see what middleware adds', () => {
    const tool = defineTool({
      name: 'x',
      description: 'X',
      inputSchema: z.object({ n: z.number() }),
      middleware: [withUser],
      handler: ({ input, context }) => {
        expectTypeOf(input.n).toEqualTypeOf<number>();
        expectTypeOf(context.user).toEqualTypeOf<User>();
      },
    });
    new ToolRegistry().registerAll([tool]);
    new ToolRegistry().use(withUser).register({
      name: 'y',
      description: 'Y',
      inputSchema: z.object({}),
      handler: ({ context }) => expectTypeOf(context.user).toEqualTypeOf<User>(),
    });
    // @ts-expect-error no user
    new ToolRegistry().use(requireAdmin);
  });
});

describe('missingScopes', () => {
  const actions = { list: { missingScopes: 'challenge', handler: () => 'all' } } as const;

  test('is one of two modes, of a tool, a group and an action', () => {
    createTool('notes')
      .missingScopes('challenge')
      .group('users', (users) =>
        users.missingScopes('hide').action({ name: 'ban', handler: () => 'banned' }),
      );
    defineGroupedTool({ name: 'notes', missingScopes: 'hide', actions });
    defineActionGroup({ missingScopes: 'challenge', actions });
  });

  test('is nothing else', () => {
    // @ts-expect-error not a mode
    void (() => createTool('notes').missingScopes('show'));
    // @ts-expect-error one mode only
    void (() => createTool('notes').missingScopes('hide', 'challenge'));
    // @ts-expect-error a mode is required
    void (() => createTool('notes').missingScopes());
    // @ts-expect-error not a mode
    void (() => createTool('notes').group('users', (users) => users.missingScopes(true)));
    // @ts-expect-error not a mode
    void (() => defineGroupedTool({ name: 'notes', missingScopes: 'show', actions }));
    // @ts-expect-error not a mode
    void (() => defineActionGroup({ missingScopes: 'show', actions }));
  });
});
