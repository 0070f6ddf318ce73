/* Random deals and playouts of trick play. It knows no game: arena/games/playouts.py explains the tables, and twin.py does
   exactly the same in Python, bit for bit. Only integers, no memory of its own, and no calls to the C library except to
   copy and clear memory. */

#include <stdint.h>

__extension__ typedef unsigned __int128 Wide;

enum { SEATS = 8, CARDS = 64, NODES = 36, SUITS = 5, OWED = 4, TALLIES = 256, TRICKS = 16, NONE = 255,
       LEADS = 2, ROWS = 3, ROUNDS = 2, PARTS = 4, GROUPS = 8, KINDS = 12, PLACES = PARTS * SEATS };

typedef struct {
    int32_t seats;
    int32_t piles;  /* whether cards are drawn from piles */
    int32_t levels; /* masks in a row of `owed` that are used */
    int32_t simultaneous;
    int32_t cancels;
    int32_t fast;   /* set by `prepare` */
    uint64_t always;
    uint64_t owed[NODES][OWED];
    int32_t points[SEATS][TALLIES];
    uint32_t prize[CARDS];
    uint32_t worth[CARDS];
    uint16_t power[NODES][CARDS];
    uint8_t after[NODES][SUITS];
    uint8_t last[NODES]; /* whether no card leads to another node */
    uint8_t suits[CARDS];
    uint8_t bid_shift[CARDS];
    uint8_t bid_points[CARDS];
    uint8_t draws[TRICKS][SEATS];
} Tables;

typedef struct {
    int32_t seat;
    int32_t tricks;
    int32_t size;   /* cards in the trick */
    int32_t winner; /* of the last simultaneous trick; -1 if equal cards cancel */
    uint64_t tried[SEATS];
    uint32_t tallies[SEATS];
    uint8_t trick[SEATS];
} Position;

typedef struct {
    uint64_t hands[SEATS];
    uint8_t bids[ROUNDS][SEATS]; /* NONE without a bid */
    uint8_t piles[SEATS][TRICKS]; /* rings: the top card at `tops` */
    uint8_t tops[SEATS];
    uint8_t sizes[SEATS];
} World;

/* A plan of deals, as in arena/games/deals.py. Place SEATS * part + seat is a hand, a bid of a round, or a pile. */

typedef struct {
    int32_t groups;
    uint8_t sizes[GROUPS];
    uint8_t places[GROUPS][PLACES]; /* of each group, kind by kind */
    uint8_t ends[GROUPS][KINDS];    /* of each kind in `places` */
    uint8_t room[PLACES];
} Plan;

typedef struct {
    uint64_t upto[2]; /* low and high half */
    uint32_t then;    /* next node; the first way of each node is in `starts` */
    uint8_t shares[KINDS];
} Way;

/* Random numbers: PCG32 (O'Neill 2014, XSH-RR); streams are seeded by SplitMix64 (Steele, Lea and Flood 2014). */

typedef struct { uint64_t state; } Stream;

static Stream stream(uint64_t seed, uint64_t number) {
    uint64_t z = seed + (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (Stream){z ^ (z >> 31)};
}

static uint32_t next(Stream *s) {
    uint64_t old = s->state;
    s->state = old * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return (mixed >> turn) | (mixed << (-turn & 31));
}

/* A number below n, each equally likely (Lemire 2019). */
static uint32_t below(Stream *s, uint32_t n) {
    uint64_t product = (uint64_t)next(s) * n;
    if ((uint32_t)product < n)
        for (uint32_t least = -n % n; (uint32_t)product < least;) product = (uint64_t)next(s) * n;
    return (uint32_t)(product >> 32);
}

/* A number below a wide one, each equally likely. */
static Wide below_wide(Stream *s, Wide n) {
    Wide mask = n - 1, number;
    for (int i = 1; i < 128; i *= 2) mask |= mask >> i;
    do {
        number = 0;
        for (int i = 0; i < 4; i++) number = number << 32 | next(s);
    } while ((number & mask) >= n);
    return number & mask;
}

/* Cards. A branch that depends on chance costs more than all else, so x86-64 takes a card with one instruction (pdep),
   except on two AMD families that are slow at it. */

#ifdef __x86_64__
static int has_deposit(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}

static uint64_t deposit(uint64_t bits, uint64_t mask) {
    __asm__("pdepq %2, %1, %0" : "=r"(bits) : "r"(bits), "r"(mask));
    return bits;
}

static uint64_t population(uint64_t cards) {
    __asm__("popcntq %0, %0" : "+r"(cards) : : "cc");
    return cards;
}
#else
static int has_deposit(void) { return 0; }
static uint64_t deposit(uint64_t bits, uint64_t mask) { return bits & mask; }
static uint64_t population(uint64_t cards) { return cards; }
#endif

static uint32_t count(uint64_t cards, int fast) {
    if (fast) return (uint32_t)population(cards);
    cards -= (cards >> 1) & UINT64_C(0x5555555555555555);
    cards = (cards & UINT64_C(0x3333333333333333)) + ((cards >> 2) & UINT64_C(0x3333333333333333));
    return (uint32_t)((((cards + (cards >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * UINT64_C(0x0101010101010101)) >> 56);
}

/* The card at a place, counted from 0 in ascending order. */
static int card_at(uint64_t cards, uint32_t place, int fast) {
    if (fast) return __builtin_ctzll(deposit(UINT64_C(1) << place, cards));
    while (place--) cards &= cards - 1;
    return __builtin_ctzll(cards);
}

/* The row of a seat's weights: 0 for a card that would lose the trick so far, 1 for one that would win it, or LEADS. */
static int row_of(const Tables *t, int node, const int *trick, int size, int card) {
    const uint16_t *power = t->power[t->after[node][t->suits[card]]];
    int wins = 1;
    for (int i = 0; i < size; i++) wins &= power[card] > power[trick[i]];
    return size ? wins : LEADS;
}

/* One of these cards, each as likely as its weight says; NONE if they have none. */
static int choose_by_weight(const Tables *t, int node, const int *trick, int size, const uint32_t (*weights)[CARDS],
                            uint64_t cards, Stream *s) {
    if (!(cards & (cards - 1))) return __builtin_ctzll(cards);
    uint32_t total = 0, upto[CARDS];
    for (uint64_t left = cards; left; left &= left - 1) {
        int card = __builtin_ctzll(left);
        upto[card] = total += weights[row_of(t, node, trick, size, card)][card];
    }
    if (!total) return NONE;
    for (uint32_t number = below(s, total);; cards &= cards - 1)
        if (number < upto[__builtin_ctzll(cards)]) return __builtin_ctzll(cards);
}

/* A card of the hand that may be played. A seat has ROWS rows of weights, unless there are none. */
static int choose(const Tables *t, int node, const int *trick, int size, int seat, uint64_t hand,
                  const uint32_t (*weights)[CARDS], Stream *s) {
    uint64_t cards = hand;
    for (int i = t->levels; i--;) {
        uint64_t following = hand & t->owed[node][i];
        cards = following ? following | (hand & t->always) : cards;
    }
    int card = weights ? choose_by_weight(t, node, trick, size, weights + ROWS * seat, cards, s) : NONE;
    return card != NONE ? card : card_at(cards, below(s, count(cards, t->fast)), t->fast);
}

/* Piles */

static void put_back(const Tables *t, World *w, int seat, Stream *s) {
    uint64_t hand = w->hands[seat];
    uint32_t left = count(hand, t->fast), orders = 1;
    for (uint32_t n = 2; n <= left; n++) orders *= n;
    uint32_t order = orders > 1 ? below(s, orders) : 0; /* one card has no order to choose */
    for (; left; left--) {
        orders /= left;
        int card = card_at(hand, order / orders, t->fast);
        order %= orders;
        hand ^= UINT64_C(1) << card;
        w->piles[seat][(w->tops[seat] + w->sizes[seat]++) % TRICKS] = (uint8_t)card;
    }
}

static void draw(World *w, int seat, int number) {
    w->hands[seat] = 0;
    for (; number; number--, w->sizes[seat]--)
        w->hands[seat] |= UINT64_C(1) << w->piles[seat][w->tops[seat]++ % TRICKS];
}

/* Playouts */

static void score(const Tables *t, const World *w, const uint32_t *tallies, int64_t *points) {
    for (int seat = 0; seat < t->seats; seat++) {
        points[seat] += t->points[seat][tallies[seat] % TALLIES];
        for (int round = 0; round < ROUNDS; round++) {
            int card = w->bids[round][seat], won = card != NONE;
            for (int other = 0; won && other < t->seats; other++)
                won = (tallies[other] >> t->bid_shift[card] & 15) <= (tallies[seat] >> t->bid_shift[card] & 15);
            if (won) points[seat] += t->bid_points[card];
        }
    }
}

/* Finish the current trick, with `card` next unless it is NONE. */
static void finish_trick(const Tables *restrict t, Position *restrict p, World *restrict w, int card,
                         const uint32_t (*weights)[CARDS], Stream *s) {
    int node = 0, seat = p->seat, seats = t->seats, trick[SEATS];
    uint32_t worth = 0, best = 0;
    for (int i = 0; i < p->size; i++) {
        trick[i] = p->trick[i];
        node = t->after[node][t->suits[trick[i]]];
    }
    for (int i = p->size; i < seats; i++, card = NONE) {
        if (card == NONE) card = choose(t, node, trick, i, seat, w->hands[seat], weights, s);
        w->hands[seat] ^= UINT64_C(1) << card;
        trick[i] = card;
        if (!t->last[node]) node = t->after[node][t->suits[card]];
        if (++seat == seats) seat = 0;
    }
    for (int i = 0; i < seats; i++) {
        uint32_t power = t->power[node][trick[i]] * 8u + 7u - (uint32_t)i; /* the earliest of equal cards wins */
        worth += t->worth[trick[i]];
        best = power > best ? power : best;
    }
    int place = 7 - (int)(best % 8), winner = seat + place - (seat + place >= seats ? seats : 0);
    p->tallies[winner] += worth + t->prize[trick[place]];
    p->seat = t->piles ? seat : winner;
    p->size = 0;
}

/* Let all seats choose at the same time: the seat to move `card`, unless it is NONE. Return the cards that can win. */
static uint64_t attempt(const Tables *t, Position *p, const World *w, int card, const uint32_t (*weights)[CARDS],
                        Stream *s, int *trick) {
    uint64_t shown = 0, several = 0;
    for (int seat = 0; seat < t->seats; seat++) {
        int own = seat < p->size ? p->trick[seat] : seat == p->seat ? card : NONE;
        if (own == NONE) own = choose(t, 0, trick, 0, seat, w->hands[seat] & ~p->tried[seat], weights, s);
        uint64_t bit = UINT64_C(1) << (trick[seat] = own);
        several |= shown & bit;
        shown |= bit;
        p->tried[seat] |= bit;
    }
    p->size = 0;
    return p->winner < 0 || t->cancels ? shown & ~several : shown;
}

/* Finish the current trick of seats that choose at the same time, with `card` of the seat to move unless it is NONE. */
static void finish_simultaneous(const Tables *t, Position *p, World *w, int card, const uint32_t (*weights)[CARDS],
                                Stream *s) {
    int trick[SEATS];
    uint64_t cards = attempt(t, p, w, card, weights, s, trick);
    while (!cards && w->hands[0] & ~p->tried[0]) cards = attempt(t, p, w, NONE, weights, s, trick);
    if (cards) {
        int best = 63 - __builtin_clzll(cards), winner = p->winner < 0 ? 0 : p->winner;
        while (trick[winner] != best) winner = (winner + 1) % t->seats;
        p->tallies[winner] += t->prize[best];
        p->winner = winner;
    }
    for (int seat = 0; seat < t->seats; seat++) {
        w->hands[seat] ^= UINT64_C(1) << trick[seat];
        p->tried[seat] = 0;
        if (!w->hands[seat]) draw(w, seat, w->sizes[seat]);
    }
}

static void play_out(const Tables *t, Position p, World w, int card, const uint32_t (*weights)[CARDS],
                     Stream *s, int64_t *points) {
    for (; p.tricks; card = NONE) {
        if (t->simultaneous) finish_simultaneous(t, &p, &w, card, weights, s);
        else finish_trick(t, &p, &w, card, weights, s);
        p.tricks--;
        if (t->piles && p.tricks) {
            for (int seat = 0; seat < t->seats; seat++) put_back(t, &w, seat, s);
            for (int seat = 0; seat < t->seats; seat++) draw(&w, seat, t->draws[p.tricks - 1][seat]);
        }
    }
    score(t, &w, p.tallies, points);
}

/* Deals */

static Wide upto(const Way *way) { return (Wide)way->upto[1] << 64 | way->upto[0]; }

/* A way from `first` to `last`, each as likely as it leads to deals. */
static const Way *choose_way(const Way *first, const Way *last, Stream *s) {
    if (first == last) return first;
    Wide number = below_wide(s, upto(last));
    while (first < last) {
        const Way *middle = first + (last - first) / 2;
        if (upto(middle) <= number) first = middle + 1;
        else last = middle;
    }
    return first;
}

static void put(World *w, int place, int at, int card) {
    int part = place / SEATS, seat = place % SEATS;
    if (part == 0) w->hands[seat] |= UINT64_C(1) << card;
    else if (part <= ROUNDS) w->bids[part - 1][seat] = (uint8_t)card;
    else w->piles[seat][at] = (uint8_t)card;
}

/* Deal the shares of a group, each card to a random slot of its kind. */
static void deal_group(const Plan *plan, int group, const Way *way, const uint8_t *cards, uint8_t *room, World *w,
                       Stream *s) {
    const uint8_t *places = plan->places[group], *ends = plan->ends[group];
    for (int kind = 0, from = 0; kind < KINDS; from = ends[kind++]) {
        uint32_t slots = 0, share = way->shares[kind];
        for (int i = from; i < ends[kind]; i++) slots += room[places[i]];
        for (; share; share--, slots--) {
            uint32_t slot = share < slots ? below(s, slots) : 0; /* if all are taken, their order does not matter */
            int i = from;
            for (; slot >= room[places[i]]; i++) slot -= room[places[i]];
            put(w, places[i], plan->room[places[i]] - room[places[i]], *cards++);
            room[places[i]]--;
        }
    }
}

static void deal_world(const Plan *plan, const uint8_t *cards, const uint32_t *starts, const Way *ways, World *w,
                       Stream *s) {
    uint8_t room[PLACES], deck[CARDS];
    uint32_t node = 0;
    for (int i = 0; i < PLACES; i++) room[i] = plan->room[i];
    for (int group = 0; group < plan->groups; cards += plan->sizes[group++]) {
        const Way *way = choose_way(ways + starts[node], ways + starts[node + 1] - 1, s);
        for (uint32_t i = 0; i < plan->sizes[group]; i++) {
            uint32_t place = below(s, i + 1);
            deck[i] = deck[place];
            deck[place] = cards[i];
        }
        deal_group(plan, group, way, deck, room, w, s);
        node = way->then;
    }
}

/* Deal worlds of the unseen `cards`, group by group, with the streams from `first` on. */
void deal(const Plan *plan, const uint8_t *cards, const uint32_t *starts, const Way *ways, const World *known,
          World *worlds, int64_t number, uint64_t seed, uint64_t first) {
    for (int64_t i = 0; i < number; i++) {
        Stream s = stream(seed, first + (uint64_t)i);
        worlds[i] = *known;
        deal_world(plan, cards, starts, ways, &worlds[i], &s);
    }
}

void prepare(Tables *t) { t->fast = has_deposit(); }

/* Play each of the `actions` in each world and play on at random, `repeats` times with the streams from `first` on;
   every action meets the same streams. Cards are chosen by `weights`, if there are any, ROWS rows for each seat. Add up
   the points of a world and their products, by action and seat. */
void play_outs(const Tables *t, const Position *p, const World *worlds, int64_t number, int64_t repeats,
               const uint8_t *actions, int64_t choices, const uint32_t (*weights)[CARDS], uint64_t seed, uint64_t first,
               int64_t *sums, int64_t *products) {
    for (int64_t i = 0; i < number; i++)
        for (int64_t a = 0; a < choices; a++) {
            int64_t points[SEATS] = {0}, *sum = sums + a * SEATS, *product = products + a * SEATS * SEATS;
            for (int64_t r = 0; r < repeats; r++) {
                Stream s = stream(seed, first + (uint64_t)(i * repeats + r));
                play_out(t, *p, worlds[i], actions[a], weights, &s, points);
            }
            for (int one = 0; one < t->seats; one++) {
                sum[one] += points[one];
                for (int two = 0; two < t->seats; two++) product[one * SEATS + two] += points[one] * points[two];
            }
        }
}

/* Many deals side by side: arena/learn/rows.py. A row is a deal with its seat to move. Before trick play it is at a step
   of its game's auction, or is played by the rules in Python (BY_RULES), and then this code leaves it alone. */

enum { FIELDS = 4, TALLIED = 4, IN_PLAY = -1, BY_RULES = -2 };

typedef struct {
    Position p;
    World w;
    uint64_t now[SEATS];    /* cards of the trick by seat */
    uint64_t played[SEATS]; /* cards of finished tricks by seat */
    int32_t node;
    int32_t tables;         /* place among the tables */
    int32_t base;           /* observation of each seat without what the row knows */
    int32_t step;           /* of the auction, IN_PLAY or BY_RULES */
} Row;

/* Where an observation has its parts, by offset. */
typedef struct {
    int32_t seats, length, choices, cards, hand, trick, played;
    int32_t tallied;         /* parts that show the tallies */
    int32_t at[TALLIED];
    int32_t fields[TALLIED]; /* numbers of a seat */
    int32_t bits[TALLIED];
    int32_t shift[TALLIED][FIELDS];
} Layout;

/* A step of the auction, or the beginning of trick play (`tables` is not negative). */
typedef struct { int32_t seat, tables, tricks, base; } Step;

static uint64_t legal_cards(const Tables *t, int node, uint64_t hand) {
    for (int i = 0; i < t->levels; i++)
        if (hand & t->owed[node][i]) return hand & (t->owed[node][i] | t->always);
    return hand;
}

static void enter(const Step *steps, int step, Row *r) {
    r->p.seat = steps[step].seat;
    r->p.tricks = steps[step].tricks;
    r->tables = steps[step].tables;
    r->base = steps[step].base;
    r->step = r->tables < 0 ? step : IN_PLAY;
}

static void end_trick(const Tables *t, Row *r) {
    Position *p = &r->p;
    uint32_t worth = 0, best = 0;
    for (int i = 0; i < t->seats; i++) {
        uint32_t power = t->power[r->node][p->trick[i]] * 8u + 7u - (uint32_t)i; /* the earliest of equal cards wins */
        worth += t->worth[p->trick[i]];
        best = power > best ? power : best;
    }
    int place = 7 - (int)(best % 8);
    for (int seat = 0; seat < t->seats; seat++) {
        r->played[seat] |= r->now[seat];
        r->now[seat] = 0;
    }
    p->seat = (p->seat + place) % t->seats;
    p->tallies[p->seat] += worth + t->prize[p->trick[place]];
    p->size = r->node = 0;
    p->tricks--;
}

static void play_card(const Tables *t, Row *r, int card) {
    Position *p = &r->p;
    uint64_t bit = UINT64_C(1) << card;
    r->w.hands[p->seat] ^= bit;
    r->now[p->seat] = bit;
    r->node = t->after[r->node][t->suits[card]];
    p->trick[p->size++] = (uint8_t)card;
    p->seat = p->seat + 1 == t->seats ? 0 : p->seat + 1;
    if (p->size == t->seats) end_trick(t, r);
}

/* Apply a legal action in each row that is not played by the rules; add the points of deals that end. */
void step_rows(const Layout *l, const Step *steps, const int32_t *then, const Tables *const *tables, Row *rows,
               int64_t number, const int64_t *actions, double *points, uint8_t *ended) {
    for (int64_t i = 0; i < number; i++) {
        Row *r = rows + i;
        int64_t won[SEATS] = {0};
        if (r->step >= 0) enter(steps, then[r->step * l->choices + actions[i]], r);
        else if (r->step == IN_PLAY) {
            play_card(tables[r->tables], r, (int)actions[i]);
            if (r->p.tricks) continue;
            score(tables[r->tables], &r->w, r->p.tallies, won);
            for (int seat = 0; seat < l->seats; seat++) points[i * l->seats + seat] = (double)won[seat];
            ended[i] = 1;
        }
    }
}

/* Deal all `cards` in the rows that are marked, as many to each seat, with the streams from `first` on. */
void deal_rows(const Layout *l, const Step *steps, Row *rows, int64_t number, const uint8_t *marked,
               const uint8_t *cards, int64_t each, uint64_t seed, uint64_t first) {
    for (int64_t i = 0; i < number; i++) {
        if (!marked[i]) continue;
        Row *r = rows + i;
        Stream s = stream(seed, first + (uint64_t)i);
        uint8_t deck[CARDS];
        *r = (Row){0};
        for (int seat = 0; seat < SEATS; seat++) r->w.bids[0][seat] = r->w.bids[1][seat] = NONE;
        for (int64_t n = 0; n < each * l->seats; n++) {
            uint32_t place = below(&s, (uint32_t)n + 1);
            deck[n] = deck[place];
            deck[place] = cards[n];
        }
        for (int64_t n = 0; n < each * l->seats; n++) r->w.hands[n / each] |= UINT64_C(1) << deck[n];
        enter(steps, 0, r);
    }
}

static void set_ones(int16_t *to, uint64_t cards) {
    for (; cards; cards &= cards - 1) to[__builtin_ctzll(cards)] = 1;
}

static void observe_row(const Layout *l, const int16_t *bases, const Row *r, int16_t *to) {
    int first = r->p.seat;
    const int16_t *base = bases + ((int64_t)r->base * l->seats + first) * l->length;
    __builtin_memcpy(to, base, sizeof *to * (uint32_t)l->length);
    set_ones(to + l->hand, r->w.hands[first]);
    for (int away = 0, seat = first; away < l->seats; away++, seat = seat + 1 == l->seats ? 0 : seat + 1) {
        set_ones(to + l->trick + away * l->cards, r->now[seat]);
        set_ones(to + l->played + away * l->cards, r->played[seat]);
        for (int part = 0; part < l->tallied; part++)
            for (int i = 0; i < l->fields[part]; i++)
                to[l->at[part] + away * l->fields[part] + i] =
                    (int16_t)(r->p.tallies[seat] >> l->shift[part][i] & ((1u << l->bits[part]) - 1));
    }
}

/* Write the observation, the legal actions and the seat to move of each row that is not played by the rules. */
void observe_rows(const Layout *l, const int16_t *bases, const uint8_t *masks, const Tables *const *tables,
                  const Row *rows, int64_t number, int16_t *observations, uint8_t *legal, int64_t *seats) {
    for (int64_t i = 0; i < number; i++) {
        const Row *r = rows + i;
        uint8_t *to = legal + i * l->choices;
        if (r->step == BY_RULES) continue;
        seats[i] = r->p.seat;
        observe_row(l, bases, r, observations + i * l->length);
        if (r->step >= 0) {
            __builtin_memcpy(to, masks + (int64_t)r->step * l->choices, (uint32_t)l->choices);
            continue;
        }
        __builtin_memset(to, 0, (uint32_t)l->choices);
        uint64_t cards = legal_cards(tables[r->tables], r->node, r->w.hands[r->p.seat]);
        for (; cards; cards &= cards - 1) to[__builtin_ctzll(cards)] = 1;
    }
}

/* Write one of the legal actions of each row, each equally likely. */
void sample_rows(const uint8_t *legal, int64_t number, int64_t choices, uint64_t seed, uint64_t first,
                 int64_t *actions) {
    for (int64_t i = 0; i < number; i++, legal += choices) {
        Stream s = stream(seed, first + (uint64_t)i);
        uint32_t ones = 0;
        int64_t c = -1;
        for (int64_t n = 0; n < choices; n++) ones += legal[n];
        for (uint32_t left = below(&s, ones) + 1; left;) left -= legal[++c];
        actions[i] = c;
    }
}

/* The first bytes of this file's hash, with which the build calls the compiler: another file does not fit. */
uint64_t source(void) { return SOURCE; }
