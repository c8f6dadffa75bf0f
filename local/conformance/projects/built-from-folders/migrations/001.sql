create table orders (id int);
